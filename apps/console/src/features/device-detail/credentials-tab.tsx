import { CopyOutlined, SyncOutlined } from '@ant-design/icons'
import {
  clientIDOf,
  defaultExpiryDays,
  passwordOf,
  randomConnID,
  SignMethod,
  signMethodLabels,
  userNameOf,
} from '@ithings/contract/device/credentials.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { readDeviceSecret } from '@ithings/contract/features/secrets.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, DatePicker, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { ConnectionCard } from '#blocks/connection-card.tsx'
import { Facts } from '#blocks/facts.tsx'
import { SecretValue, useSecret } from '#blocks/secret-field.tsx'
import { deviceSecret } from '#blocks/secret-owner.ts'
import { translated } from '#blocks/translated.ts'
import { Copyable, useCopy } from '#kit/copyable.tsx'
import { MaskedSecret } from '#kit/masked-secret.tsx'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { Card } from './card.tsx'
import { credentialsJson } from './clipboard.ts'

const methodOptions = Object.values(SignMethod).map((value) => ({ value, label: signMethodLabels[value] }))
const presetDays = [1, 30, defaultExpiryDays, 365]

interface Made {
  password?: string
  failure?: string
}

/** The password, made anew whenever what it signs changes; a secret of a foreign import may not be Base64. */
function usePassword(userName: string, secret: string | undefined, method: SignMethod): Made {
  return useMemo(() => {
    if (secret === undefined) return {}
    try {
      return { password: passwordOf(userName, secret, method) }
    } catch (error) {
      return { failure: describeError(error).reason }
    }
  }, [userName, secret, method])
}

/** screens.md 6.3: client id, user name and password for a client that signs in as this device. */
export function CredentialsTab({ device }: { device: Device }) {
  return (
    <div className="stack shrink gap-16">
      <May needs={readDeviceSecret}>
        <Generator device={device} />
      </May>
      <ConnectionCard productID={device.productID} deviceName={device.deviceName} />
    </div>
  )
}

function Generator({ device }: { device: Device }) {
  const id = useId()
  const [, copy] = useCopy()
  const [method, setMethod] = useState<SignMethod>(SignMethod.sha256)
  const [expiry, setExpiry] = useState<Dayjs>(() => dayjs().add(defaultExpiryDays, 'day'))
  const [connID, setConnID] = useState(randomConnID)
  const clientID = clientIDOf(device)
  const userName = userNameOf(clientID, connID, expiry.unix())
  const secret = useSecret(deviceSecret(device))
  const made = usePassword(userName, secret.shown?.secret, method)
  const password = made.password ?? ''
  const expired = expiry.isBefore(dayjs())
  return (
    <Card
      title={t('生成连接凭证')}
      note={t('在浏览器里计算，不会发送到平台')}
      extra={
        <>
          <Button type="text" icon={<SyncOutlined />} onClick={() => setConnID(randomConnID())}>
            {t('重新生成')}
          </Button>
          <Button
            type="text"
            icon={<CopyOutlined />}
            disabled={!password}
            onClick={() => copy(credentialsJson({ device, clientID, userName, password }))}
          >
            {t('一键复制')}
          </Button>
        </>
      }
    >
      <div className="flex wrap below-16" style={{ alignItems: 'flex-end', gap: '12px 24px' }}>
        <div>
          <div className="below-4 softer" id={`${id}method`}>
            {t('签名算法')}
          </div>
          <Segmented<SignMethod>
            aria-labelledby={`${id}method`}
            options={translated(methodOptions)}
            value={method}
            onChange={setMethod}
          />
        </div>
        <div>
          <label className="below-4 softer block" htmlFor={id}>
            {t('到期时间')}
          </label>
          <DatePicker
            id={id}
            showTime
            allowClear={false}
            value={expiry}
            presets={presetDays.map((days) => ({
              label: t('{count} 天后', { count: days }),
              value: () => dayjs().add(days, 'day'),
            }))}
            minDate={dayjs()}
            status={expired ? 'error' : ''}
            onChange={(picked) => picked && setExpiry(picked)}
          />
        </div>
      </div>
      {expired && <Alert type="warning" showIcon title={t('到期时间已过，设备会被拒绝连接（100011）。')} />}
      {made.failure && <Alert type="error" showIcon title={t('密码计算失败：{reason}', { reason: made.failure })} />}
      <div className="credential-result above-16">
        <Facts
          className="facts-wide"
          facts={[
            { label: t('设备密钥'), value: <SecretValue secret={secret} label={t('设备密钥')} /> },
            { label: t('客户端 ID'), value: <Copyable text={clientID} /> },
            { label: t('用户名'), value: <Copyable text={userName} /> },
            {
              label: t('密码'),
              value: password ? <MaskedSecret secret={password} label={t('密码')} /> : t('查看密钥后生成'),
            },
          ]}
        />
      </div>
      <p className="meta bare above-8">
        {t('凭证到期后要重新生成；改动算法或到期时间会得到另一个密码，之前生成的在各自到期前仍然有效。')}
      </p>
    </Card>
  )
}
