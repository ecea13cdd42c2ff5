/** A secret that is shown when somebody asks for it, which the operation log keeps, and its rotation. */

import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { defaultGraceSeconds, maxGraceSeconds, type ShownSecret } from '@ithings/contract/features/secrets.ts'
import { t } from '@ithings/contract/text.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button, Select } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { MaskedSecret } from '#kit/masked-secret.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton, useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { TimeText } from '#kit/time-text.tsx'
import type { SecretOwner } from './secret-owner.ts'
import { translated } from './translated.ts'

export interface AskedSecret {
  reads: Endpoint
  shown: ShownSecret | undefined
  failure: string | undefined
  asking: boolean
  ask: () => void
  forget: () => void
}

/** Stands in a row of text. */
const flush = { paddingInline: 0 }

/** Kept while the screen is open, so that it is asked for and logged once a visit. */
export function useSecret(owner: SecretOwner): AskedSecret {
  const { mutate, reset, data, error, isPending } = useMutation({ mutationFn: owner.read, gcTime: 0 })
  return {
    reads: owner.reads,
    shown: data,
    failure: error ? describeError(error).reason : undefined,
    asking: isPending,
    ask: () => mutate(),
    forget: reset,
  }
}

export function SecretValue({ secret, label }: { secret: AskedSecret; label: string }) {
  const { shown, failure, asking, ask } = secret
  const may = useMay()
  if (shown) return <MaskedSecret secret={shown.secret} label={label} open />
  if (!may(secret.reads)) return <span className="no-value">{t('你的角色不能查看')}</span>
  return (
    <>
      <span className="masked-secret fit inline-row gap-6">
        <span className="mono">••••••••</span>
        <Button type="link" size="small" style={flush} loading={asking} onClick={ask}>
          {t('查看密钥')}
        </Button>
      </span>
      {failure && <div className="tone-error">{failure}</div>}
    </>
  )
}

const hour = 3_600
const graces = [
  { value: 0, label: '立即失效' },
  { value: hour, label: '1 小时' },
  { value: defaultGraceSeconds, label: '24 小时' },
  { value: 7 * 24 * hour, label: '7 天' },
  { value: maxGraceSeconds, label: '30 天' },
]

/** Asks how long the old secret shall go on working. */
function useRotate(owner: SecretOwner, onRotated: () => void): () => void {
  const { message } = App.useApp()
  const confirm = useConfirm()
  return () => {
    let grace = defaultGraceSeconds
    confirm({
      title: owner.title,
      danger: true,
      okText: t('更换'),
      content: (
        <>
          <p>{owner.affected}</p>
          <p>{t('上一次更换后仍在宽限期内的旧密钥立即失效。更换不能撤销，会记入操作日志。')}</p>
          <span>{t('旧密钥的宽限期：')}</span>
          <Select
            aria-label={t('旧密钥的宽限期')}
            defaultValue={grace}
            options={translated(graces)}
            style={{ width: 140 }}
            onChange={(chosen) => {
              grace = chosen
            }}
          />
        </>
      ),
      onOk: async () => {
        await owner.rotate(grace)
        onRotated()
        void message.success(grace === 0 ? t('密钥已更换，旧密钥已失效') : t('密钥已更换，宽限期内新旧密钥都可用'))
      },
    })
  }
}

export function SecretField({ owner }: { owner: SecretOwner }) {
  const secret = useSecret(owner)
  const rotate = useRotate(owner, secret.forget)
  const until = secret.shown?.oldValidUntil ?? '0'
  return (
    <>
      <SecretValue secret={secret} label={owner.label} />{' '}
      <ActButton needs={owner.rotates} type="link" size="small" style={flush} onClick={rotate}>
        {t('更换密钥')}
      </ActButton>
      {until !== '0' && (
        <div className="meta">
          <RichText
            text={t('旧密钥在 <0/> 前仍可使用')}
            parts={[<TimeText key="until" value={until} mode="exact" />]}
          />
        </div>
      )}
    </>
  )
}
