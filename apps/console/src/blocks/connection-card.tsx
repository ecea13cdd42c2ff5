/** How a device of a product connects: parameters and programs that can be copied (device-protocol.md 2). */
import { clientIDOf } from '@ithings/contract/device/credentials.ts'
import { Tabs } from 'antd'
import { useMemo } from 'react'
import { CodeBlock } from '#kit/code-block.tsx'
import { Copyable, CopyButton } from '#kit/copyable.tsx'
import './connection-card.css'
import { connectionSamples, userNameForm } from './connection-card-code.ts'
import { HelpLink } from './help-link.tsx'
import { useMqttPorts } from './mqtt-ports.ts'

export interface ConnectionCardProps {
  productID: string
  /** On a product's page any name of a device stands for it. */
  deviceName?: string
  /** JSON text of a report that the product's thing model accepts. */
  payload?: string
}

const placeholderName = 'device01'
const anyPayload = '{"method":"report","clientToken":"1","params":{}}'

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
    <section className="sheet connection-card" aria-label="连接参数">
      <h2 className="connection-title row bold gap-8">
        连接参数 <HelpLink page="device-guide" section="1-五分钟接入" label="设备接入手册" />
      </h2>
      {deviceName === undefined && (
        <p className="meta connection-note">示例以设备名称 {placeholderName} 代替，请换成真实的设备名称和设备密钥。</p>
      )}
      <dl className="connection-list">
        <div>
          <dt>MQTT 地址</dt>
          <dd>
            <Copyable text={`mqtt://${hostname}:${port}`} />
            {tlsPort > 0 && <Copyable text={`mqtts://${hostname}:${tlsPort}`} />}
          </dd>
        </div>
        <div>
          <dt>WebSocket 地址</dt>
          <dd>
            <Copyable text={socket} />
          </dd>
        </div>
        <div>
          <dt>客户端 ID</dt>
          <dd>
            <Copyable text={clientID} />
            <span className="meta">产品 ID + 设备名称</span>
          </dd>
        </div>
        <div>
          <dt>用户名</dt>
          <dd>
            <Copyable text={userNameForm(clientID)} />
            <span className="meta">connid 为 5 位随机字符，expiry 为到期时间（Unix 秒）</span>
          </dd>
        </div>
        <div>
          <dt>密码</dt>
          <dd>
            <span className="mono">{'{token};hmacsha256'}</span>
            <span className="meta">
              token = HMAC-SHA256(用户名) 的小写十六进制，密钥为 Base64 解码后的设备密钥；也可用 hmacsha1
            </span>
          </dd>
        </div>
      </dl>
      <Tabs
        size="small"
        items={samples.map(({ key, label, code }) => ({
          key,
          label,
          children: (
            <div className="connection-code">
              <CopyButton text={code} label={`复制 ${label} 示例`} />
              <CodeBlock>{code}</CodeBlock>
            </div>
          ),
        }))}
      />
    </section>
  )
}
