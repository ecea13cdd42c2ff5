import { resetPasswordBody, type UserInfo } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { CopyButton } from '#kit/copyable.tsx'
import { checkField } from '#kit/form/schema-rules.ts'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StrengthMeter } from '#kit/strength-meter.tsx'
import { generatePassword } from '../generate-password.ts'
import { personName } from '../labels.ts'
import { useResetPassword } from '../queries.ts'
import './users.css'

interface Choice {
  mode: 'generate' | 'type'
  typed: string
}

interface PasswordChoiceProps extends Choice {
  problem: string
  onChange: (choice: Partial<Choice>) => void
  onEnter: () => void
}

function PasswordChoice({ mode, typed, problem, onChange, onEnter }: PasswordChoiceProps) {
  return (
    <div className="reset-body column gap-12">
      <p>{t('旧密码立即失效，这个用户的所有登录会话会结束，须用新密码重新登录。')}</p>
      <Segmented<Choice['mode']>
        block
        value={mode}
        onChange={(value) => onChange({ mode: value })}
        options={[
          { value: 'generate', label: t('自动生成') },
          { value: 'type', label: t('手动输入') },
        ]}
      />
      {mode === 'generate' ? (
        <span className="meta">{t('将生成 14 位随机密码，重置后显示一次。')}</span>
      ) : (
        <>
          <Input.Password
            aria-label={t('新密码')}
            autoFocus
            autoComplete="new-password"
            maxLength={64}
            placeholder={t('至少 8 位，两种以上字符')}
            value={typed}
            status={problem ? 'error' : ''}
            onChange={(event) => onChange({ typed: event.target.value })}
            onPressEnter={onEnter}
          />
          <StrengthMeter password={typed} />
        </>
      )}
      {problem && <Alert type="error" showIcon title={problem} />}
    </div>
  )
}

/** Two steps: choose the password, then see it once. It is nowhere to be read afterwards. */
export function ResetPasswordModal({ user, open, onClose }: { user: UserInfo; open: boolean; onClose: () => void }) {
  const reset = useResetPassword()
  const [choice, setChoice] = useState<Choice>({ mode: 'generate', typed: '' })
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState<string>()

  const submit = async () => {
    const password = choice.mode === 'generate' ? generatePassword() : choice.typed
    const refused = checkField(resetPasswordBody, 'password', t('新密码'), password)
    setProblem(refused ?? '')
    if (refused) return
    try {
      await reset.mutateAsync({ userID: user.userID, password })
      setDone(password)
    } catch (error) {
      setProblem(describeError(error).reason)
    }
  }

  const footer =
    done === undefined
      ? [
          <Button key="cancel" onClick={onClose} disabled={reset.isPending}>
            {t('取消')}
          </Button>,
          <Button key="ok" type="primary" danger loading={reset.isPending} onClick={() => void submit()}>
            {t('重置密码')}
          </Button>,
        ]
      : [
          <Button key="close" type="primary" onClick={onClose}>
            {t('我已保存，关闭')}
          </Button>,
        ]

  return (
    <PhoneModal
      title={done === undefined ? t('重置「{name}」的密码？', { name: personName(user) }) : t('密码已重置')}
      open={open}
      onCancel={reset.isPending ? undefined : onClose}
      mask={{ closable: false }}
      width={480}
      footer={footer}
      destroyOnHidden
    >
      {done === undefined ? (
        <PasswordChoice
          {...choice}
          problem={problem}
          onChange={(change) => setChoice({ ...choice, ...change })}
          onEnter={() => void submit()}
        />
      ) : (
        <div className="reset-body column gap-12">
          <p>{t('请把新密码交给「{name}」，并提醒他登录后修改。', { name: personName(user) })}</p>
          <div className="reset-password head-fill pad-12-16 bordered round-6 row between gap-12">
            <span className="mono">{done}</span>
            <CopyButton text={done} label={t('复制密码')} />
          </div>
          <Alert type="warning" showIcon title={t('关闭后无法再次查看这个密码。')} />
        </div>
      )}
    </PhoneModal>
  )
}
