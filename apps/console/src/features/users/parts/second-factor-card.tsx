import { disableSecondFactor } from '@ithings/contract/features/second-factor.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useConfirm } from '#kit/confirm.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { refreshAccount, secondFactorQuery, useDisableSecondFactor, useRenewRecoveryCodes } from '../account-queries.ts'
import { codeInput, EnrolSecondFactor, RecoveryCodes } from './enrol-second-factor.tsx'

const schema = disableSecondFactor.body.pick({ password: true, secondCode: true })

function DisableModal({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const disable = useDisableSecondFactor()
  return (
    <FormModal
      title={t('停用两步验证')}
      open={open}
      onClose={onClose}
      schema={schema}
      onSubmit={async (values) => {
        await disable.mutateAsync(values)
        void message.success(t('两步验证已停用'))
      }}
      submitText={t('停用')}
      layout="vertical"
      width={440}
    >
      <Field name="password" label={t('登录密码')}>
        <Input.Password autoComplete="current-password" maxLength={128} />
      </Field>
      <Field name="secondCode" label={t('验证码或恢复码')}>
        {codeInput()}
      </Field>
    </FormModal>
  )
}

/** New recovery codes; the old ones are worth nothing as soon as these are shown. */
function RenewCodes() {
  const client = useQueryClient()
  const confirm = useConfirm()
  const renew = useRenewRecoveryCodes()
  const ask = () =>
    confirm({
      title: t('更换恢复码？'),
      content: t('现有的恢复码立即失效。'),
      okText: t('更换'),
      onOk: async () => void (await renew.mutateAsync({})),
    })
  const done = () => {
    renew.reset()
    void refreshAccount(client)
  }
  return (
    <>
      <Button size="small" onClick={ask}>
        {t('更换恢复码')}
      </Button>
      <Modal
        title={t('新的恢复码')}
        open={renew.data !== undefined}
        onCancel={done}
        footer={null}
        width={440}
        mask={{ closable: false }}
      >
        <RecoveryCodes title={t('恢复码已更换')} codes={renew.data?.recoveryCodes ?? []} onDone={done} />
      </Modal>
    </>
  )
}

/** 两步验证: whether a code is asked for at sign-in, and the way in and out of it. */
export function SecondFactorCard() {
  const client = useQueryClient()
  const query = useQuery(secondFactorQuery)
  const { data, error } = query
  const [dialog, setDialog] = useState<'enrol' | 'disable'>()
  const enrolled = () => {
    setDialog(undefined)
    void refreshAccount(client)
  }
  return (
    <section className="sheet profile-card" aria-labelledby="second-factor-title">
      <div className="row wrap between" style={{ gap: '12px 16px' }}>
        <div className="column">
          <h2 id="second-factor-title" className="title">
            {t('两步验证')}
          </h2>
          <span className="meta">{t('登录时除密码外，再输入手机应用显示的验证码')}</span>
        </div>
        {data && (
          <Button
            type={data.enabled ? 'default' : 'primary'}
            onClick={() => setDialog(data.enabled ? 'disable' : 'enrol')}
          >
            {data.enabled ? t('停用') : t('启用')}
          </Button>
        )}
      </div>
      {error && !data && <QueryError subject={t('两步验证')} query={query} />}
      {!data && !error && <PageSpinner />}
      {data && (
        <div className="gap-4-12 above-12 flex wrap">
          <StatusTag text={data.enabled ? t('已启用') : t('未启用')} tone={data.enabled ? 'success' : 'default'} />
          {data.enabled && (
            <span className="meta">
              <RichText
                text={t('启用于 <0/> · 恢复码剩余 {count} 个', { count: data.recoveryCodesLeft })}
                parts={[<TimeText key="time" value={data.enabledTime} mode="exact" />]}
              />
            </span>
          )}
          {!data.enabled && data.passkeys > 0 && (
            <span className="meta">{t('恢复码剩余 {count} 个', { count: data.recoveryCodesLeft })}</span>
          )}
          {(data.enabled || data.passkeys > 0) && <RenewCodes />}
          {data.required && data.passkeys === 0 && (
            <span className="meta">{t('你的角色要求使用两步验证，停用后须立即重新启用')}</span>
          )}
        </div>
      )}
      <Modal
        title={t('启用两步验证')}
        open={dialog === 'enrol'}
        onCancel={enrolled}
        footer={null}
        width={440}
        destroyOnHidden
        mask={{ closable: false }}
      >
        <EnrolSecondFactor onDone={enrolled} />
      </Modal>
      <DisableModal open={dialog === 'disable'} onClose={() => setDialog(undefined)} />
    </section>
  )
}
