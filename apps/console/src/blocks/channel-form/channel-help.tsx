/** How to get what the form asks for. */

import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import { t } from '@ithings/contract/text.ts'
import { Collapse, Tabs } from 'antd'
import { CopyButton } from '#kit/copyable.tsx'
import { RichText } from '#kit/rich-text.tsx'
import './channel-form.css'

export const addressHelp: Record<Exclude<ChannelType, 'email'>, string> = {
  webhook:
    '平台以 POST 方式发送 JSON；应答 2xx 表示收到，不跟随重定向。内部网络的地址须由管理员在 WEBHOOK_ALLOW 中放行。',
  dingtalk:
    '钉钉群 → 群设置 → 机器人 → 添加机器人 → 自定义，复制 Webhook 地址。安全设置推荐“加签”，把 SEC 开头的密钥填在下面。',
  wecom: '企业微信群 → 右上角 … → 消息推送（群机器人）→ 添加，复制 Webhook 地址。',
  feishu:
    '飞书群 → 设置 → 群机器人 → 添加机器人 → 自定义机器人，复制 Webhook 地址。安全设置选“签名校验”时，把密钥填在下面。',
}

export const addressExample: Record<Exclude<ChannelType, 'email'>, string> = {
  webhook: 'https://example.com/ithings/hook',
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
}

export const mentionHelp: Partial<Record<ChannelType, string>> = {
  dingtalk: '手机号或钉钉用户 id；填 all 提醒所有人',
  wecom: '手机号或企业微信 userid；填 all 提醒所有人',
  feishu: '飞书 open_id 或 user_id；填 all 提醒所有人',
}

const nodeSample = `import { createHmac, timingSafeEqual } from 'node:crypto'

// rawBody：未经解析的请求体
function verify(headers, rawBody, secret) {
  const time = headers['x-ithings-timestamp']
  const given = Buffer.from(headers['x-ithings-signature'] ?? '')
  const expected = Buffer.from(
    'sha256=' + createHmac('sha256', secret).update(time + '.' + rawBody).digest('hex'),
  )
  const fresh = Math.abs(Date.now() - Number(time)) < 5 * 60_000
  return fresh && given.length === expected.length && timingSafeEqual(given, expected)
}`

const pythonSample = `import hashlib, hmac, time

# raw_body：未经解析的请求体（bytes）
def verify(headers, raw_body, secret):
    stamp = headers["X-iThings-Timestamp"]
    expected = "sha256=" + hmac.new(
        secret.encode(), stamp.encode() + b"." + raw_body, hashlib.sha256
    ).hexdigest()
    fresh = abs(time.time() * 1000 - int(stamp)) < 5 * 60 * 1000
    return fresh and hmac.compare_digest(headers.get("X-iThings-Signature", ""), expected)`

const bodySample = `{
  "id": "1024",                 // 通知编号，重试时不变，可用于去重
  "title": "水泵温度过高",
  "content": "1 号泵温度 85 ℃",
  "source": "alarm",            // scene、alarm 或 test
  "sourceName": "泵房高温",
  "productID": "25vq9o3Qqq3",
  "deviceName": "pump-01",
  "time": 1763172000000         // 毫秒
}`

function Sample({ code }: { code: string }) {
  return (
    <div className="code-sample relative">
      <pre className="mono-payload">{code}</pre>
      <CopyButton text={code} label={t('复制代码')} />
    </div>
  )
}

export function WebhookHelp() {
  const items = [
    { key: 'body', label: t('请求体'), children: <Sample code={t(bodySample)} /> },
    { key: 'node', label: t('Node.js 验签'), children: <Sample code={t(nodeSample)} /> },
    { key: 'python', label: t('Python 验签'), children: <Sample code={t(pythonSample)} /> },
  ]
  return (
    <Collapse
      size="small"
      className="webhook-help"
      items={[
        {
          key: 'help',
          label: t('接收方如何处理：请求体与签名示例'),
          children: (
            <>
              <p className="meta">
                <RichText
                  text={t(
                    '设置签名密钥后，请求带 <0>X-iThings-Timestamp</0>（毫秒）和 <1>X-iThings-Signature: sha256=…</1>，签名为 HMAC-SHA256(密钥, 时间戳 + "." + 请求体)。',
                  )}
                  parts={[<span key="time" className="mono" />, <span key="signature" className="mono" />]}
                />
              </p>
              <Tabs size="small" items={items} />
            </>
          ),
        },
      ]}
    />
  )
}
