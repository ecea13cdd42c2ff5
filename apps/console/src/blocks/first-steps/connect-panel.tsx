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
import { t } from '@ithings/contract/text.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { call } from '#api/call.ts'
import { Copyable } from '#kit/copyable.tsx'
import { MaskedSecret } from '#kit/masked-secret.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { fiveMinutes, Programs } from '../connection-card.tsx'
import { connectionSamples } from '../connection-card-code.ts'
import { deviceModelQuery } from '../device/queries.ts'
import { Facts } from '../facts.tsx'
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
const daySeconds = 86_400
const hiddenSecret = '••••••••'

/** A report that the model accepts, of its first property; of none while the model is being read, or cannot be. */
function useReport(productID: string) {
  const { data: model, isPending } = useQuery(deviceModelQuery(productID))
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

function Simulate({ productID, deviceName }: Key) {
  const client = useQueryClient()
  const simulate = useMutation({
    mutationFn: () => call(simulateDevices, { list: [{ productID, deviceName }], on: true }, quiet),
    onSuccess: () => client.invalidateQueries({ queryKey: [readFirstSteps.path] }),
  })
  return (
    <>
      <Button loading={simulate.isPending} disabled={simulate.isSuccess} onClick={() => simulate.mutate()}>
        {simulate.isSuccess ? t('正在模拟，请稍候') : t('没有设备？让平台模拟它')}
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
  const known = secret.shown?.secret
  const at = { host, port, productID, deviceName, payload }
  // Once somebody has asked for the secret, what is copied runs as it is.
  const whole = connectionSamples(known === undefined ? at : { ...at, secret: known })
  const shownPassword = password ? (
    <MaskedSecret secret={password} label={t('密码')} />
  ) : (
    <SecretValue secret={secret} label={t('设备密钥')} />
  )
  return (
    <div className="first-connect above-16">
      <Facts
        className="facts-wide connection-list below-8"
        facts={[
          { label: t('MQTT 地址'), value: <Copyable text={`mqtt://${host}:${port}`} /> },
          { label: t('客户端 ID'), value: <Copyable text={clientID} /> },
          { label: t('用户名'), value: <Copyable text={userName} /> },
          {
            label: t('密码'),
            value: (
              <>
                {shownPassword}
                <span className="meta">{t('{count} 天内有效', { count: defaultExpiryDays })}</span>
              </>
            ),
          },
        ]}
      />
      <Programs
        samples={connectionSamples({ ...at, secret: hiddenSecret })}
        copied={(code, index) => (isPending ? undefined : (whole[index]?.code ?? code))}
        labelOf={(label) =>
          t(known === undefined ? '复制 {label} 程序（不含设备密钥）' : '复制 {label} 程序（含设备密钥）', { label })
        }
      />
      <div className="row wrap above-12 gap-8">
        <Simulate productID={productID} deviceName={deviceName} />
        <HelpLink page="device-guide" section={fiveMinutes} label={t('设备接入手册')} />
      </div>
    </div>
  )
}
