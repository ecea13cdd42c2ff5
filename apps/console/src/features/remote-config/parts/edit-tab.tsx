import { SaveOutlined } from '@ant-design/icons'
import { type ConfigVersion, configContent, createConfig } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, App, Button, Input, Space } from 'antd'
import { useId, useState } from 'react'
import { CodeEditor } from '#kit/code-editor.tsx'
import { jsonProblem } from '#kit/json-input.ts'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type Draft, draftOf, isChanged } from '../drafts.ts'
import { useVersionSend } from '../queries.ts'
import { DiffDrawer } from './diff-drawer.tsx'
import { EditorTools } from './editor-tools.tsx'
import './editing.css'

interface StaleDraftProps {
  latest: ConfigVersion
  onCompare: () => void
  onTake: () => void
  onKeep: () => void
}

/** Somebody saved another version while this one was typed: nothing is overwritten unseen. */
function StaleDraft({ latest, onCompare, onTake, onKeep }: StaleDraftProps) {
  return (
    <Alert
      type="warning"
      showIcon
      title={
        <RichText
          text={t('{user} 已提交版本 {id}（<0/>），你的草稿基于更早的版本', {
            user: latest.userName || t('他人'),
            id: latest.id,
          })}
          parts={[<TimeText key="time" value={latest.createTime} />]}
        />
      }
      description={
        <Space wrap size="small">
          <Button size="small" onClick={onCompare}>
            {t('查看差异')}
          </Button>
          <Button size="small" onClick={onKeep}>
            {t('保留草稿，基于最新版本继续')}
          </Button>
          <Button size="small" onClick={onTake}>
            {t('放弃草稿，使用最新版本')}
          </Button>
        </Space>
      }
    />
  )
}

interface EditTabProps {
  productID: string
  latest: ConfigVersion
  draft: Draft | undefined
  onDraft: (draft: Draft | undefined) => void
}

const maxNote = 100

/** Where and why first, the size after it; the words of the contract for what the server would refuse. */
function problemOf(text: string): string | undefined {
  const refused = configContent.safeParse(text).error?.issues[0]?.message
  return jsonProblem(text)?.message ?? (refused && t(refused))
}

/** What is typed, compared with the newest version, and how it is saved. */
function useEditing({ productID, latest, draft, onDraft }: EditTabProps) {
  const { message } = App.useApp()
  const send = useVersionSend()
  const shown = draft ?? draftOf(latest)
  const changed = isChanged(shown, latest)
  const stale = draft !== undefined && draft.basedOn !== latest.id
  const problem = problemOf(shown.content)
  const save = useMutation({
    mutationFn: () =>
      send(createConfig, { productID, content: shown.content, note: shown.note.trim(), basedOn: shown.basedOn }),
    onSuccess: ({ id }) => {
      onDraft(undefined)
      void message.success(t('已保存为版本 {id}，下发后设备才会收到', { id }))
    },
  })
  const change = (patch: Partial<Draft>) => {
    save.reset()
    const next = { ...shown, ...patch }
    // Typed back to what is saved: nothing to keep.
    onDraft(stale || isChanged(next, latest) || next.note !== '' ? next : undefined)
  }
  return { shown, change, changed, stale, problem, save }
}

interface SaveLineProps {
  editing: ReturnType<typeof useEditing>
  hasDraft: boolean
  onCompare: () => void
  onDrop: () => void
}

function SaveLine({ editing, hasDraft, onCompare, onDrop }: SaveLineProps) {
  const noteID = useId()
  const { shown, change, changed, stale, problem, save } = editing
  return (
    <div className="config-save touch flex wrap gap-8">
      <label className="column softer gap-4" style={{ flex: '1 1 240px' }} htmlFor={noteID}>
        <span>{t('版本说明')}</span>
        <Input
          id={noteID}
          maxLength={maxNote}
          showCount
          placeholder={t('这次改了什么（可不填）')}
          value={shown.note}
          onChange={(event) => change({ note: event.target.value })}
        />
      </label>
      <Button disabled={!changed} onClick={onCompare}>
        {t('查看改动')}
      </Button>
      <Button disabled={!hasDraft} onClick={onDrop}>
        {t('放弃草稿')}
      </Button>
      <Button
        type="primary"
        icon={<SaveOutlined />}
        loading={save.isPending}
        disabled={!changed || problem !== undefined || stale}
        onClick={() => save.mutate()}
      >
        {t('保存为新版本')}
      </Button>
    </div>
  )
}

export function EditTab(props: EditTabProps) {
  const { productID, latest, draft, onDraft } = props
  const phone = usePhone()
  const writable = useMay()(createConfig)
  const [comparing, setComparing] = useState(false)
  const editing = useEditing(props)
  const { shown, change, changed, stale, problem, save } = editing
  const drop = () => onDraft(undefined)
  const compare = () => setComparing(true)
  const wrong = changed ? problem : undefined
  return (
    <div className="list-card pad-16 column gap-12">
      {stale && (
        <StaleDraft latest={latest} onCompare={compare} onTake={drop} onKeep={() => change({ basedOn: latest.id })} />
      )}
      <EditorTools
        text={shown.content}
        fileName={`config-${productID}.json`}
        onChange={writable ? (content) => change({ content }) : undefined}
      />
      <CodeEditor
        whenEntered
        language="json"
        aria-label={t('配置内容')}
        height={phone ? 320 : 440}
        readOnly={!writable}
        value={shown.content}
        onChange={(content) => change({ content })}
      />
      <p className={wrong ? 'bare small tone-error' : 'bare small quiet'} role="status">
        {wrong ?? t('内容须为 JSON 对象，原样保存并原样下发给设备')}
      </p>
      {save.isError && !stale && <Alert type="error" showIcon title={describeError(save.error).reason} />}
      {writable && <SaveLine editing={editing} hasDraft={draft !== undefined} onCompare={compare} onDrop={drop} />}
      <DiffDrawer
        open={comparing}
        onClose={() => setComparing(false)}
        title={t('草稿与当前版本的差异')}
        before={{
          label: latest.id > 0 ? t('当前版本 {id}', { id: latest.id }) : t('还没有版本'),
          text: latest.content,
        }}
        after={{ label: t('草稿'), text: shown.content }}
      />
    </div>
  )
}
