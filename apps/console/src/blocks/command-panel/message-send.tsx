import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, SendOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { AutoComplete, Button, Select } from 'antd'
import { useId, useState } from 'react'
import { CodeEditor } from '#kit/code-editor.tsx'
import { formatJson } from '#kit/json-input.ts'
import { useMemo } from '#language/use-memo.ts'
import { payloadOf, type TopicRow, topicRows } from '../topics/topic-rows.ts'
import { type MessageKind, messagesOf } from '../topics/topic-samples.ts'
import { checkPayload, checkTopic, type MessageVerdict } from './check-message.ts'
import { newToken, withToken } from './sends.ts'
import type { SendFormProps } from './use-send.tsx'

const looks = {
  good: { Icon: CheckCircleFilled, tone: 'tone-success' },
  doubtful: { Icon: ExclamationCircleFilled, tone: 'tone-warning' },
  blocked: { Icon: CloseCircleFilled, tone: 'tone-error' },
}
const editorHeight = 280

function Verdict({ verdict }: { verdict: MessageVerdict }) {
  if (verdict.text === '') return null
  const { Icon, tone } = looks[verdict.level]
  return (
    <div className={`line-20 shrink anywhere small ${tone}`} role="status">
      <Icon aria-hidden="true" /> {verdict.text}
    </div>
  )
}

/** Down topics of the device and the messages that fit each, made from the model. */
function useTemplates({ device, product, model }: Pick<SendFormProps, 'device' | 'product' | 'model'>) {
  const [now] = useState(Date.now)
  return useMemo(() => {
    const messages = messagesOf(model, product.productID, now)
    const down = topicRows(product, messages, device.deviceName).filter(({ way }) => way === 'down')
    // What the platform begins is tried more often than an answer to something the device never said.
    const begins = ({ key }: TopicRow) => ('cloud' in messages[key] ? 0 : 1)
    const rows = down.toSorted((one, other) => begins(one) - begins(other))
    const sample = (kind: MessageKind) => {
      const message = payloadOf(kind, messages, product.dialect, Date.now())
      return withToken(JSON.stringify(message), newToken()) ?? ''
    }
    return { rows, topics: [...new Set(rows.map(({ topic }) => topic))], sample }
  }, [device.deviceName, product, model, now])
}

const byteLength = (text: string) => new TextEncoder().encode(text).length

/** Topic, template and payload: another topic brings its first template, typing leaves the template. */
function useMessage(props: SendFormProps) {
  const { rows, topics, sample } = useTemplates(props)
  const given = props.draft?.kind === 'message' ? props.draft : undefined
  const firstOf = (at: string) => rows.find((row) => row.topic === at)
  const [topic, setTopic] = useState(given?.target ?? topics[0] ?? '')
  const [kind, setKind] = useState<MessageKind | undefined>(() => (given?.data ? undefined : firstOf(topic)?.key))
  const [payload, setPayload] = useState(() => given?.data || (kind ? sample(kind) : ''))
  const fill = (key: MessageKind | undefined) => {
    setKind(key)
    if (key) setPayload(sample(key))
  }
  const pickTopic = (next: string) => {
    setTopic(next)
    const first = firstOf(next)
    if (first && next !== topic) fill(first.key)
  }
  const type = (text: string) => {
    // The editor also tells of what came from here: only typing leaves the template.
    if (text === payload) return
    setPayload(text)
    setKind(undefined)
  }
  const fitting = rows.filter((row) => row.topic === topic)
  return { topics, topic, kind, payload, fitting, pickTopic, fill, type, setPayload }
}

interface PayloadProps {
  value: string
  verdict: MessageVerdict
  /** A person typed. */
  onType: (text: string) => void
  /** A button made it anew. */
  onReplace: (text: string) => void
}

function Payload({ value, verdict, onType, onReplace }: PayloadProps) {
  const fresh = withToken(value, newToken())
  return (
    <div className="column gap-4">
      <div className="send-head row between softer gap-8">
        <span>{t('内容')}</span>
        <span className="send-links">
          <Button type="link" size="small" onClick={() => onReplace(formatJson(value))}>
            {t('格式化')}
          </Button>
          <Button type="link" size="small" disabled={fresh === undefined} onClick={() => fresh && onReplace(fresh)}>
            {t('新 clientToken')}
          </Button>
        </span>
      </div>
      <CodeEditor language="json" height={editorHeight} aria-label={t('消息内容')} value={value} onChange={onType} />
      <div className="send-head row between softer gap-8">
        <Verdict verdict={verdict} />
        <span className="meta fixed to-end">{t('{count, number} 字节', { count: byteLength(value) })}</span>
      </div>
    </div>
  )
}

/** screens.md 18 自定义消息: any down topic with a payload of one's own. */
export function MessageSend(props: SendFormProps) {
  const { device, model, sender, actions } = props
  const id = useId()
  const { topics, topic, kind, payload, fitting, pickTopic, fill, type, setPayload } = useMessage(props)
  const topicVerdict = checkTopic(topic, device)
  const verdict = checkPayload(topic, payload, model)
  const request = { kind: 'message', target: topic, data: payload } as const
  const blocked = topicVerdict.level === 'blocked' || verdict.level === 'blocked'
  return (
    <>
      <div className="column gap-16">
        <div className="column gap-4">
          <label className="softer" htmlFor={id}>
            Topic
          </label>
          <AutoComplete
            id={id}
            className="mono"
            value={topic}
            options={topics.map((value) => ({ value }))}
            onChange={pickTopic}
          />
          <Verdict verdict={topicVerdict} />
        </div>
        <div className="column gap-4">
          <label className="softer" htmlFor={`${id}template`}>
            {t('消息模板')}
          </label>
          <Select<MessageKind>
            id={`${id}template`}
            placeholder={fitting.length > 0 ? t('不用模板') : t('这个 Topic 没有模板')}
            disabled={fitting.length === 0}
            value={kind ?? null}
            options={fitting.map(({ key, text, method }) => ({ value: key, label: `${t(text)} ${method}` }))}
            onChange={fill}
          />
        </div>
        <Payload value={payload} verdict={verdict} onType={type} onReplace={setPayload} />
      </div>
      <div className="flex wrap at-end above-16 gap-8">
        {actions(blocked ? undefined : request)}
        <Button
          type="primary"
          icon={<SendOutlined />}
          disabled={blocked}
          loading={sender.pending}
          onClick={() => sender.send(request)}
        >
          {t('发送')}
        </Button>
      </div>
    </>
  )
}
