import { CloseOutlined, SendOutlined } from '@ant-design/icons'
import {
  CommandKind,
  type CommandRow,
  ShadowControl,
  sendAction,
  sendProperty,
} from '@ithings/contract/features/commands.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { CommandList } from '#blocks/command-history/command-list.tsx'
import { describeCommand, describeSet, latencyText } from '#blocks/command-history/command-words.ts'
import { deviceTitle } from '#blocks/device/labels.ts'
import { keyOf } from '#blocks/device/queries.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { callableOf, writableOf } from '#blocks/model-form/command-text.ts'
import type { Values } from '#blocks/property-changes/changes.ts'
import { PropertyFields } from '#blocks/property-changes/property-fields.tsx'
import { useChanges } from '#blocks/property-changes/use-changes.tsx'
import { TypedParams } from '#blocks/typed-value/typed-value.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { useHeld } from '#kit/rights.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { commandsQuery } from '../live-queries.ts'
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
import { type CommandInput, type CommandResult, useCommand } from './use-command.ts'

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
  // Messages of the debug page are repeated there.
  if (row.kind !== CommandKind.property && row.kind !== CommandKind.action) return undefined
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

/** What came back, until the next command or until it is closed (screens.md 6.2). */
function Result({ result, onClose }: { result: CommandResult; onClose: () => void }) {
  const { title, outcome, output, clientToken, took } = result
  return (
    <section className="head-fill pad-8-12 lined round-6" aria-label={t('下发结果')} aria-live="polite">
      <div className="row between wrap gap-8">
        <StatusTag filled tone={outcome.tone} text={outcome.label} />
        <span className="grow anywhere" style={{ minWidth: 80 }}>
          {title}
        </span>
        {took !== undefined && <span className="meta">{latencyText(took)}</span>}
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('关闭结果')} onClick={onClose} />
      </div>
      {outcome.text && <p className={`command-why line-20 small tone-${outcome.tone}`}>{outcome.text}</p>}
      {output && outcome.tone === 'success' && output.params.length > 0 && (
        <TypedParams params={output.params} values={output.values} />
      )}
      {clientToken && (
        <div className="meta row gap-6">
          {t('请求编号')} <Copyable text={clientToken} maxWidth={180} />
        </div>
      )}
    </section>
  )
}

const recentShown = 6

interface RecentProps {
  device: Device
  model: ThingModel
  /** Absent: who looks at it may not send. */
  onRepeat?: (row: CommandRow) => void
}

function Recent({ device, model, onRepeat }: RecentProps) {
  const commands = useQuery(commandsQuery({ ...keyOf(device), page: { page: 1, size: recentShown } }))
  const rows = commands.data?.list ?? []
  return (
    <section aria-label={t('下发记录')}>
      <div className="head-fill flex between baseline line-above gap-8" style={{ padding: '9px 16px' }}>
        <h3 className="subtitle">{t('下发记录')}</h3>
        <Link to={`${deviceDetailPath(device, DeviceTab.data)}?view=commands`}>{t('查看全部')}</Link>
      </div>
      {commands.isPending && <Skeleton active className="pad-12-16" paragraph={{ rows: 3 }} title={false} />}
      {commands.isError && !commands.data && <QueryError compact subject={t('下发记录')} query={commands} />}
      {commands.data && rows.length === 0 && <p className="meta pad-12-16 bare">{t('还没有下发过指令。')}</p>}
      <CommandList rows={rows} model={model} {...(onRepeat && { onRepeat })} />
    </section>
  )
}

/** Who came by 发送指令 finds the focus in the first control. */
function useShown(wanted: boolean, onShown: () => void) {
  const root = useRef<HTMLDivElement>(null)
  const shown = useRef(onShown)
  shown.current = onShown
  useEffect(() => {
    if (!wanted) return
    root.current?.scrollIntoView({ block: 'nearest' })
    root.current?.querySelector<HTMLElement>('.ant-select input')?.focus()
    shown.current()
  }, [wanted])
  return root
}

interface DeviceCommandsProps {
  device: Device
  model: ThingModel
  /** Somebody came by 发送指令. */
  wanted: boolean
  /** It was shown to them. */
  onShown: () => void
}

/** The command that is being put together, and its way to the device. */
function useCommandForm(device: Device, model: ThingModel, modes: readonly Draft['mode'][]) {
  const confirm = useConfirm()
  const [draft, setDraft] = useState<Draft>(() => {
    const empty = emptyDraft(model)
    return { ...empty, mode: modes.includes(empty.mode) ? empty.mode : (modes[0] ?? empty.mode) }
  })
  const [tried, setTried] = useState(false)
  const [sending, setSending] = useState(false)
  const { run, result, clear } = useCommand(device)
  const changes = useChanges(device, model)
  const checked = checkDraft(draft, model)

  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  const send = async (input: CommandInput) => {
    setSending(true)
    const { tone } = await run(input)
    setSending(false)
    // What the device has taken is what it is now: it does not go out again with the next change.
    if (tone === 'success' && !input.action) setDraft((before) => withTaken(before, JSON.parse(input.data)))
  }
  const ask = (input: CommandInput, always = true) => {
    const go = () => void send(input)
    if (!input.action)
      return changes.ask({ values: JSON.parse(input.data), okText: t('下发', { context: 'verb' }), send: go, always })
    confirm({
      title: t('调用行为「{name}」？', { name: input.title }),
      content: t('指令会立即作用于设备「{name}」。', { name: deviceTitle(device) }),
      okText: t('调用'),
      // The dialog closes at once: the panel shows how it goes on.
      onOk: async () => go(),
    })
  }
  const fill = async (jsonTarget: string) => {
    change({ jsonTarget })
    change({ json: jsonTemplate(jsonTarget, model, await changes.reported(), Date.now()) })
  }
  return {
    draft,
    setDraft,
    change,
    fill,
    sending,
    reported: changes.reported,
    fault: tried && !checked.ok ? checked : undefined,
    result,
    clearResult: clear,
    submit: () => {
      setTried(true)
      // A property set through the form was chosen value by value; actions and JSON are asked about in any case.
      if (checked.ok) ask(inputOf(checked, draft, model), draft.mode !== 'property')
    },
    repeat: (row: CommandRow) => {
      const input = repeatOf(row, model)
      if (input) ask(input)
    },
    choose: (mode: Draft['mode']) => {
      setTried(false)
      change({ mode })
      if (mode === 'json' && !draft.json) void fill('')
    },
  }
}

/** look.md 13: the command panel owns the only primary button beside the properties. */
export function DeviceCommands({ device, model, wanted, onShown }: DeviceCommandsProps) {
  const held = useHeld()(modeRights).map(({ key }) => key)
  const modes = modesOf(model).filter((mode) => held.includes(mode))
  const form = useCommandForm(device, model, modes)
  const root = useShown(wanted, onShown)
  const { draft, fault, sending, result } = form
  const isAction = draft.mode === 'action' || (draft.mode === 'json' && draft.jsonTarget !== '')
  const fields = { model, draft, onChange: form.change, issues: fault?.issues, disabled: sending }
  const nothing = writableOf(model).length === 0 && callableOf(model).length === 0
  const refusal = modes.length === 0 ? t('你的角色不能下发指令。') : t('物模型里没有可写的属性，也没有可调用的行为。')
  return (
    <div className="sheet command-panel" ref={root}>
      <form
        className="command-form pad-16 stack gap-12"
        aria-label={t('发送指令')}
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
      >
        <div className="flex wrap between baseline gap-8">
          <h2 className="subtitle">{t('发送指令')}</h2>
          <span className="meta">{isAction ? t('行为会立即作用于设备') : t('按物模型校验后下发')}</span>
        </div>
        {modes.length === 0 || nothing ? (
          <p className="meta">{refusal}</p>
        ) : (
          <>
            <Segmented
              block
              aria-label={t('指令类型')}
              disabled={sending}
              value={draft.mode}
              options={modes.map((value) => ({ value, label: t(commandModeLabels[value], { context: 'short' }) }))}
              onChange={form.choose}
            />
            {draft.mode === 'property' && (
              <PropertyFields
                model={model}
                draft={draft.properties}
                onChange={(next) => form.setDraft((before) => ({ ...before, properties: next(before.properties) }))}
                reported={form.reported}
                issues={fault?.issues}
                disabled={sending}
              />
            )}
            {draft.mode === 'action' && <ActionFields {...fields} />}
            {draft.mode === 'json' && <JsonFields {...fields} onFill={(target) => void form.fill(target)} />}
            <DeliveryFields {...fields} live={isAction} />
            {fault && (
              <p className="tone-error bare small" role="alert">
                {fault.text}
              </p>
            )}
            <Button block type="primary" htmlType="submit" icon={<SendOutlined />} loading={sending}>
              {isAction ? t('调用') : t('下发', { context: 'verb' })}
            </Button>
          </>
        )}
        {result && <Result result={result} onClose={form.clearResult} />}
      </form>
      <Recent device={device} model={model} {...(held.length === modeRights.length && { onRepeat: form.repeat })} />
    </div>
  )
}
