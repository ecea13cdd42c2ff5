import { SendOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import {
  CommandKind,
  type CommandRow,
  ShadowControl,
  sendAction,
  sendProperty,
} from '@ithings/contract/features/devices/interact.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Segmented } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { describeCommand, describeSet } from '#blocks/command-history/command-words.ts'
import { callableOf, writableOf } from '#blocks/model-form/command-text.ts'
import type { Values } from '#blocks/property-changes/changes.ts'
import { PropertyFields } from '#blocks/property-changes/property-fields.tsx'
import { useChanges } from '#blocks/property-changes/use-changes.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { useHeld } from '#kit/rights.tsx'
import { deviceTitle } from '../../labels.ts'
import {
  type Checked,
  checkDraft,
  commandModeLabels,
  type Draft,
  emptyDraft,
  jsonTemplate,
  modesOf,
} from './command-draft.ts'
import { ActionFields, DeliveryFields, JsonFields } from './command-form.tsx'
import { CommandResultView } from './command-result.tsx'
import { RecentCommands } from './recent-commands.tsx'
import { type CommandInput, useCommand } from './use-command.ts'

interface CommandPanelProps {
  device: Device
  model: ThingModel
  /** Somebody came by 发送指令: the first control takes the focus. */
  wanted: boolean
  /** It was shown to them. */
  onShown: () => void
}

const inputOf = (checked: Extract<Checked, { ok: true }>, draft: Draft, model: ThingModel): CommandInput => ({
  data: checked.data,
  isAsync: draft.isAsync,
  shadowControl: draft.shadowControl,
  ...(checked.kind === 'action'
    ? { title: checked.action.name, action: checked.action }
    : { title: describeSet(model, checked.values) }),
})

/** The history has the words of the command; its values go out again as they were. */
function repeatOf(row: CommandRow, model: ThingModel): CommandInput | undefined {
  const title = describeCommand(row, model)
  const common = { title, data: row.payload, isAsync: false, shadowControl: ShadowControl.auto }
  if (row.kind === CommandKind.property) return common
  const action = callableOf(model).find(({ identifier }) => identifier === row.target)
  return action && { ...common, action }
}

const withTaken = (draft: Draft, sent: Values): Draft => ({
  ...draft,
  properties: { ...draft.properties, began: { ...draft.properties.began, ...sent } },
})

/** JSON may be either. */
const modeRights = [
  { key: 'property', needs: sendProperty },
  { key: 'action', needs: sendAction },
  { key: 'json', needs: sendProperty },
] as const

/** look.md 13: the command panel owns the only primary button of the cockpit. */
export function CommandPanel({ device, model, wanted, onShown }: CommandPanelProps) {
  const confirm = useConfirm()
  const held = useHeld()(modeRights).map(({ key }) => key)
  const modes = modesOf(model).filter((mode) => held.includes(mode))
  const [draft, setDraft] = useState<Draft>(() => {
    const empty = emptyDraft(model)
    return { ...empty, mode: modes.includes(empty.mode) ? empty.mode : (modes[0] ?? empty.mode) }
  })
  const [tried, setTried] = useState(false)
  const [sending, setSending] = useState(false)
  const command = useCommand(device)
  const changes = useChanges(device, model)
  const root = useRef<HTMLDivElement>(null)
  const shown = useRef(onShown)
  shown.current = onShown
  useEffect(() => {
    if (!wanted) return
    root.current?.scrollIntoView({ block: 'nearest' })
    root.current?.querySelector<HTMLElement>('.ant-select input')?.focus()
    shown.current()
  }, [wanted])

  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  const checked = checkDraft(draft, model)
  const fault = tried && !checked.ok ? checked : undefined
  const isAction = draft.mode === 'action' || (draft.mode === 'json' && draft.jsonTarget !== '')

  const run = async (input: CommandInput) => {
    setSending(true)
    const { tone } = await command.run(input)
    setSending(false)
    // What the device has taken is what it is now: it does not go out again with the next change.
    if (tone === 'success' && !input.action) setDraft((before) => withTaken(before, JSON.parse(input.data)))
  }
  const ask = (input: CommandInput, always = true) => {
    const send = () => void run(input)
    if (!input.action) return changes.ask({ values: JSON.parse(input.data), okText: '下发', send, always })
    confirm({
      title: `调用行为「${input.title}」？`,
      content: `指令会立即作用于设备「${deviceTitle(device)}」。`,
      okText: '调用',
      // The dialog closes at once: the panel shows how it goes on.
      onOk: async () => send(),
    })
  }
  const submit = () => {
    setTried(true)
    // A property set through the form was chosen value by value; actions and JSON are asked about in any case.
    if (checked.ok) ask(inputOf(checked, draft, model), draft.mode !== 'property')
  }
  const fill = async (jsonTarget: string) => {
    change({ jsonTarget })
    change({ json: jsonTemplate(jsonTarget, model, await changes.reported(), Date.now()) })
  }
  const fields = { model, draft, onChange: change, issues: fault?.issues, disabled: sending }
  const nothing = writableOf(model).length === 0 && callableOf(model).length === 0
  return (
    <div className="sheet command-panel" ref={root}>
      <form
        className="command-form"
        aria-label="发送指令"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="command-panel-head flex between baseline gap-8">
          <h2>发送指令</h2>
          <span className="meta">{isAction ? '行为会立即作用于设备' : '按物模型校验后下发'}</span>
        </div>
        {modes.length === 0 ? (
          <p className="meta">你的角色不能下发指令。</p>
        ) : nothing ? (
          <p className="meta">物模型里没有可写的属性，也没有可调用的行为。</p>
        ) : (
          <>
            <Segmented
              block
              aria-label="指令类型"
              disabled={sending}
              value={draft.mode}
              options={modes.map((value) => ({ value, label: commandModeLabels[value] }))}
              onChange={(mode) => {
                setTried(false)
                change({ mode })
                if (mode === 'json' && !draft.json) void fill('')
              }}
            />
            {draft.mode === 'property' && (
              <PropertyFields
                model={model}
                draft={draft.properties}
                onChange={(next) => setDraft((before) => ({ ...before, properties: next(before.properties) }))}
                reported={changes.reported}
                issues={fault?.issues}
                disabled={sending}
              />
            )}
            {draft.mode === 'action' && <ActionFields {...fields} />}
            {draft.mode === 'json' && <JsonFields {...fields} onFill={(target) => void fill(target)} />}
            <DeliveryFields {...fields} live={isAction} />
            {fault && (
              <p className="command-fault bare small" role="alert">
                {fault.text}
              </p>
            )}
            <Button block type="primary" htmlType="submit" icon={<SendOutlined />} loading={sending}>
              {isAction ? '调用' : '下发'}
            </Button>
          </>
        )}
        {command.result && <CommandResultView result={command.result} onClose={command.clear} />}
      </form>
      <RecentCommands
        device={device}
        model={model}
        {...(held.length === modeRights.length && {
          onRepeat: (row) => {
            const input = repeatOf(row, model)
            if (input) ask(input)
          },
        })}
      />
    </div>
  )
}
