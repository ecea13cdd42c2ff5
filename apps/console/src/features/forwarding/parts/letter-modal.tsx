import { type DeadLetter, resendDeadLetters } from '@ithings/contract/features/forwarding/rules.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, Input } from 'antd'
import { useState } from 'react'
import { DeviceLink } from '#blocks/device-link.tsx'
import { FactList } from '#blocks/facts.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { May, useMay } from '#kit/rights.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useAttempt } from '#kit/use-attempt.ts'
import { prettyJson, replacementOf } from '../letter-body.ts'
import { useResendLetters } from '../queries.ts'
import { sourceText } from '../words.ts'

interface LetterModalProps {
  ruleID: number
  letter: DeadLetter
  open: boolean
  onClose: () => void
}

const editorHeight = 320
const maxBody = 1_048_576

/** A letter as it was sent: looked at, edited and sent again. */
export function LetterModal({ ruleID, letter, open, onClose }: LetterModalProps) {
  const { message } = App.useApp()
  const writable = useMay()(resendDeadLetters)
  const pretty = prettyJson(letter.body)
  const [text, setText] = useState(pretty ?? letter.body)
  const [problem, setProblem] = useState<string>()
  const resend = useResendLetters()
  const { busy, failure, attempt } = useAttempt()
  const [refused, setRefused] = useState(false)
  const send = () =>
    attempt(async () => {
      setRefused(false)
      const body = { id: ruleID, letterIDs: [letter.id], ...replacementOf(letter.body, text) }
      const { sent } = await resend.mutateAsync(body)
      if (sent === 0) return setRefused(true)
      void message.success(t('已重发'))
      onClose()
    })
  const said = failure || (refused ? t('接收方仍然拒绝，原因已更新在列表中') : '')
  return (
    <PhoneModal
      title={t('死信')}
      open={open}
      onCancel={onClose}
      width={720}
      footer={
        <>
          <Button onClick={onClose}>{t('关闭')}</Button>
          <May needs={resendDeadLetters}>
            <Button
              type="primary"
              loading={busy}
              disabled={problem !== undefined || text === ''}
              onClick={() => void send()}
            >
              {t('重发')}
            </Button>
          </May>
        </>
      }
    >
      <div className="column gap-12">
        <Alert type="error" showIcon title={<span className="anywhere">{letter.reason}</span>} />
        <FactList
          facts={[
            { label: t('来源'), value: sourceText(letter.source) },
            letter.deviceName !== '' && { label: t('设备'), value: <DeviceLink device={letter} /> },
            { label: t('发生时间'), value: <TimeText value={letter.time} mode="log" /> },
            { label: t('被拒时间'), value: <TimeText value={letter.createdTime} mode="log" /> },
            { label: t('消息编号'), value: <Copyable text={letter.messageID} /> },
          ]}
        />
        {pretty === undefined ? (
          <Input.TextArea
            className="mono"
            aria-label={t('消息内容')}
            style={{ height: editorHeight }}
            value={text}
            maxLength={maxBody}
            readOnly={!writable}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <CodeEditor
            language="json"
            anyJson
            aria-label={t('消息内容')}
            height={editorHeight}
            value={text}
            readOnly={!writable}
            onChange={setText}
            onValidity={setProblem}
          />
        )}
        {said && <Alert type="error" showIcon title={said} />}
      </div>
    </PhoneModal>
  )
}
