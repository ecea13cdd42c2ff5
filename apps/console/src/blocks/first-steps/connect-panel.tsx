/** Everything the newcomer's own device needs to connect, and programs that do it (device-protocol.md 2). */
import {
  clientIDOf,
  defaultExpiryDays,
  passwordOf,
  randomConnID,
  SignMethod,
  userNameOf,
} from '@ithings/contract/device/credentials.ts'
import { simulateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { readFirstSteps } from '@ithings/contract/features/home.ts'
import { readTsl } from '@ithings/contract/features/products/schema.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Tabs } from 'antd'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { CodeBlock } from '#kit/code-block.tsx'
import { Copyable, CopyButton } from '#kit/copyable.tsx'
import { MaskedSecret } from '#kit/masked-secret.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { type Connection, connectionSamples } from '../connection-card-code.ts'
import { HelpLink } from '../help-link.tsx'
import { useMqttPorts } from '../mqtt-ports.ts'
import { SecretValue, useSecret } from '../secret-field.tsx'
import { deviceSecret } from '../secret-owner.ts'
import { payloadOf } from '../topics/topic-rows.ts'
import { messagesOf } from '../topics/topic-samples.ts'

interface Key {
  productID: string
  deviceName: string
}

const quiet = { quiet: true } as const
const modelQuery = (productID: string) =>
  queryOptions({ ...endpointQuery(readTsl, { productID }, quiet), select: ({ tsl }) => readTslText(tsl).model })

const daySeconds = 86_400
const hiddenSecret = '••••••••'

/** A report that the model accepts, of its first property; of none while the model is being read, or cannot be. */
function useReport(productID: string) {
  const { data: model, isPending } = useQuery(modelQuery(productID))
  const payload = useMemo(() => {
    if (!model) return '{"method":"report","clientToken":"1","params":{}}'
    const short = { ...model, properties: model.properties.slice(0, 1) }
    const { timestamp: _, ...message } = payloadOf('report', messagesOf(short, productID, 0), 0, 0)
    return JSON.stringify(message)
  }, [model, productID])
  return { payload, isPending }
}

function useCredentials({ productID, deviceName }: Key, secret: string | undefined) {
  const names = useMemo(() => {
    const clientID = clientIDOf({ productID, deviceName })
    const expiry = Math.floor(Date.now() / 1000) + defaultExpiryDays * daySeconds
    return { clientID, userName: userNameOf(clientID, randomConnID(), expiry) }
  }, [productID, deviceName])
  const password = secret === undefined ? undefined : passwordOf(names.userName, secret, SignMethod.sha256)
  return { ...names, password }
}

function Programs({ at, secret, isReady }: { at: Connection; secret: string | undefined; isReady: boolean }) {
  // Once somebody has asked for the secret, what is copied runs as it is.
  const shown = connectionSamples({ ...at, secret: hiddenSecret })
  const whole = connectionSamples(secret === undefined ? at : { ...at, secret })
  const more = secret === undefined ? '（不含设备密钥）' : '（含设备密钥）'
  return (
    <Tabs
      size="small"
      items={shown.map(({ key, label, code }, i) => ({
        key,
        label,
        children: (
          <div className="connection-code">
            <CopyButton text={isReady ? (whole[i]?.code ?? code) : undefined} label={`复制 ${label} 程序${more}`} />
            <CodeBlock>{code}</CodeBlock>
          </div>
        ),
      }))}
    />
  )
}

function Simulate({ productID, deviceName }: Key) {
  const client = useQueryClient()
  const simulate = useMutation({
    mutationFn: () => call(simulateDevices, { list: [{ productID, deviceName }], on: true }, quiet),
    onSuccess: () => client.invalidateQueries({ queryKey: [readFirstSteps.path] }),
  })
  return (
    <>
      <Button loading={simulate.isPending} disabled={simulate.isSuccess} onClick={() => simulate.mutate()}>
        {simulate.isSuccess ? '正在模拟，请稍候' : '没有设备？让平台模拟它'}
      </Button>
      {simulate.isError && <Alert type="error" showIcon title={describeError(simulate.error).reason} />}
    </>
  )
}

export function ConnectPanel({ productID, deviceName }: Key) {
  const secret = useSecret(deviceSecret({ productID, deviceName }))
  const { hostname: host } = window.location
  const { port } = useMqttPorts()
  const { payload, isPending } = useReport(productID)
  const { clientID, userName, password } = useCredentials({ productID, deviceName }, secret.shown?.secret)
  return (
    <div className="first-connect">
      <dl className="connection-list">
        <div>
          <dt>MQTT 地址</dt>
          <dd>
            <Copyable text={`mqtt://${host}:${port}`} />
          </dd>
        </div>
        <div>
          <dt>客户端 ID</dt>
          <dd>
            <Copyable text={clientID} />
          </dd>
        </div>
        <div>
          <dt>用户名</dt>
          <dd>
            <Copyable text={userName} />
          </dd>
        </div>
        <div>
          <dt>密码</dt>
          <dd>
            {password ? (
              <MaskedSecret secret={password} label="密码" />
            ) : (
              <SecretValue secret={secret} label="设备密钥" />
            )}
            <span className="meta">{defaultExpiryDays} 天内有效</span>
          </dd>
        </div>
      </dl>
      <Programs
        at={{ host, port, productID, deviceName, payload }}
        secret={secret.shown?.secret}
        isReady={!isPending}
      />
      <div className="first-connect-foot row wrap gap-8">
        <Simulate productID={productID} deviceName={deviceName} />
        <HelpLink page="device-guide" section="1-五分钟接入" label="设备接入手册" />
      </div>
    </div>
  )
}
