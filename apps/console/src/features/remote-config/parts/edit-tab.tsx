import { SaveOutlined } from '@ant-design/icons'
import { type ConfigVersion, configContent, createConfig } from '@ithings/contract/features/remote-config.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, App, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { CodeEditor } from '#kit/code-editor.tsx'
import { jsonProblem } from '#kit/json-input.ts'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { type Draft, draftOf, isChanged } from '../drafts.ts'
import { useConfigWork } from '../queries.ts'
import { DiffDrawer } from './diff-drawer.tsx'
import { EditorTools } from './editor-tools.tsx'
import { StaleDraft } from './stale-draft.tsx'
import './editing.css'

interface EditTabProps {
  productID: string
  latest: ConfigVersion
  draft: Draft | undefined
  onDraft: (draft: Draft | undefined) => void
}

const maxNote = 100

/** Where and why first, the size after it; the words of the contract for what the server would refuse. */
const problemOf = (text: string): string | undefined =>
  jsonProblem(text)?.message ?? configContent.safeParse(text).error?.issues[0]?.message

export function EditTab({ productID, latest, draft, onDraft }: EditTabProps) {
  const { message } = App.useApp()
  const phone = usePhone()
  const noteID = useId()
  const work = useConfigWork(productID)
  const writable = useMay()(createConfig)
  const [comparing, setComparing] = useState(false)
  const shown = draft ?? draftOf(latest)
  const changed = isChanged(shown, latest)
  const stale = draft !== undefined && draft.basedOn !== latest.id
  const problem = problemOf(shown.content)
  const change = (patch: Partial<Draft>) => {
    save.reset()
    const next = { ...shown, ...patch }
    // Typed back to what is saved: nothing to keep.
    onDraft(stale || isChanged(next, latest) || next.note !== '' ? next : undefined)
  }
  const save = useMutation({
    mutationFn: () => work.save({ content: shown.content, note: shown.note.trim(), basedOn: shown.basedOn }),
    onSuccess: ({ id }) => {
      onDraft(undefined)
      void message.success(`已保存为版本 ${id}，下发后设备才会收到`)
    },
    // Somebody else was faster: the newest version says who and what.
    onError: () => void work.versions(),
  })
  return (
    <div className="list-card config-edit">
      {stale && (
        <StaleDraft
          latest={latest}
          onCompare={() => setComparing(true)}
          onTake={() => onDraft(undefined)}
          onKeep={() => change({ basedOn: latest.id })}
        />
      )}
      <EditorTools
        text={shown.content}
        fileName={`config-${productID}.json`}
        onChange={writable ? (content) => change({ content }) : undefined}
      />
      <CodeEditor
        language="json"
        aria-label="配置内容"
        height={phone ? 320 : 440}
        readOnly={!writable}
        value={shown.content}
        onChange={(content) => change({ content })}
      />
      <p className={problem && changed ? 'config-verdict config-verdict-bad' : 'config-verdict'} role="status">
        {problem && changed ? problem : '内容须为 JSON 对象，原样保存并原样下发给设备'}
      </p>
      {save.isError && !stale && <Alert type="error" showIcon title={describeError(save.error).reason} />}
      {writable && (
        <div className="config-save flex wrap gap-8">
          <label className="config-note column softer gap-4" htmlFor={noteID}>
            <span>版本说明</span>
            <Input
              id={noteID}
              maxLength={maxNote}
              showCount
              placeholder="这次改了什么（可不填）"
              value={shown.note}
              onChange={(event) => change({ note: event.target.value })}
            />
          </label>
          <Button disabled={!changed} onClick={() => setComparing(true)}>
            查看改动
          </Button>
          <Button disabled={draft === undefined} onClick={() => onDraft(undefined)}>
            放弃草稿
          </Button>
          <Button
            type="primary"
            icon={<SaveOutlined />}
            loading={save.isPending}
            disabled={!changed || problem !== undefined || stale}
            onClick={() => save.mutate()}
          >
            保存为新版本
          </Button>
        </div>
      )}
      <DiffDrawer
        open={comparing}
        onClose={() => setComparing(false)}
        title="草稿与当前版本的差异"
        before={{ label: latest.id > 0 ? `当前版本 ${latest.id}` : '还没有版本', text: latest.content }}
        after={{ label: '草稿', text: shown.content }}
      />
    </div>
  )
}
