/** How a device of a product connects: parameters and programs that can be copied (device-protocol.md 2). */

import { clientIDOf } from '@ithings/contract/device/credentials.ts'
import { t } from '@ithings/contract/text.ts'
import { Tabs } from 'antd'
import type { ReactNode } from 'react'
import { CodeBlock } from '#kit/code-block.tsx'
import { Copyable, CopyButton } from '#kit/copyable.tsx'
import { useMemo } from '#language/use-memo.ts'
import './connection-card.css'
import { connectionSamples, type Sample, userNameForm } from './connection-card-code.ts'
import { Facts } from './facts.tsx'
import { HelpLink } from './help-link.tsx'
import { useMqttPorts } from './mqtt-ports.ts'

interface ConnectionCardProps {
  productID: string
  /** On a product's page any name of a device stands for it. */
  deviceName?: string
  /** JSON text of a report that the product's thing model accepts. */
  payload?: string
}

// The name of a section of the guide, not a text.
export const fiveMinutes = '1-五分钟接入'
const placeholderName = 'device01'
const anyPayload = '{"method":"report","clientToken":"1","params":{}}'

const passwordNote = 'token = HMAC-SHA256(用户名) 的小写十六进制，密钥为 Base64 解码后的设备密钥；也可用 hmacsha1'

const noted = (value: ReactNode, note: string) => (
  <>
    {value}
    <span className="meta">{note}</span>
  </>
)

interface ProgramsProps {
  samples: readonly Sample[]
  /** What is copied of a program; undefined: it is not ready yet. */
  copied: (code: string, index: number) => string | undefined
  labelOf: (label: string) => string
}

/** Programs in several languages, each with its button. */
export const Programs = ({ samples, copied, labelOf }: ProgramsProps) => (
  <Tabs
    size="small"
    items={samples.map(({ key, label, code }, index) => ({
      key,
      label,
      children: (
        <div className="connection-code head-fill relative lined round-6">
          <CopyButton text={copied(code, index)} label={labelOf(label)} />
          <CodeBlock>{code}</CodeBlock>
        </div>
      ),
    }))}
  />
)

export function ConnectionCard({ productID, deviceName, payload = anyPayload }: ConnectionCardProps) {
  const name = deviceName ?? placeholderName
  const { hostname, host, protocol } = window.location
  const { port, tlsPort } = useMqttPorts()
  const samples = useMemo(
    () => connectionSamples({ host: hostname, port, productID, deviceName: name, payload }),
    [hostname, port, productID, name, payload],
  )
  const clientID = clientIDOf({ productID, deviceName: name })
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/mqtt`
  return (
    <section className="sheet pane" aria-label={t('连接参数')}>
      <h2 className="high-32 title row below-8 gap-8">
        {t('连接参数')} <HelpLink page="device-guide" section={fiveMinutes} label={t('设备接入手册')} />
      </h2>
      {deviceName === undefined && (
        <p className="meta" style={{ margin: '-4px 0 12px' }}>
          {t('示例以设备名称 {name} 代替，请换成真实的设备名称和设备密钥。', { name })}
        </p>
      )}
      <Facts
        className="facts-wide connection-list below-8"
        facts={[
          {
            label: t('MQTT 地址'),
            value: (
              <>
                <Copyable text={`mqtt://${hostname}:${port}`} />
                {tlsPort > 0 && <Copyable text={`mqtts://${hostname}:${tlsPort}`} />}
              </>
            ),
          },
          { label: t('WebSocket 地址'), value: <Copyable text={socket} /> },
          { label: t('客户端 ID'), value: noted(<Copyable text={clientID} />, t('产品 ID + 设备名称')) },
          {
            label: t('用户名'),
            value: noted(
              <Copyable text={userNameForm(clientID)} />,
              t('connid 为 5 位随机字符，expiry 为到期时间（Unix 秒）'),
            ),
          },
          { label: t('密码'), value: noted(<span className="mono">{'{token};hmacsha256'}</span>, t(passwordNote)) },
        ]}
      />
      <Programs samples={samples} copied={(code) => code} labelOf={(label) => t('复制 {label} 示例', { label })} />
    </section>
  )
}
