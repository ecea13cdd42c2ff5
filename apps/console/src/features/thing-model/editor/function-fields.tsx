import { LockOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { maxDesc, maxName } from '@ithings/contract/thing-model/limits.ts'
import {
  ActionDirection,
  actionDirectionLabels,
  EventType,
  eventTypeLabels,
  FunctionType,
  functionTypeLabels,
  PropertyMode,
  propertyModeLabels,
} from '@ithings/contract/thing-model/model.ts'
import { Segmented, Switch } from 'antd'
import type { ReactNode } from 'react'
import { type FunctionDraft, withType } from '../function-draft.ts'
import { DefineFields } from './define-fields.tsx'
import { EditField, TextControl, useEditField } from './edit-field.tsx'
import { MemberRows } from './member-rows.tsx'
import { TypeButtons } from './type-choice.tsx'

interface FunctionFieldsProps {
  draft: FunctionDraft
  onChange: (draft: FunctionDraft) => void
  /** Of a stored function neither the identifier nor the kind can change. */
  stored: boolean
  /** Who uses it, under the type. */
  typeNote?: ReactNode
}

/** In this order: who it is, what it holds, what it is for. */
export function FunctionFields({ draft, onChange, stored, typeNote }: FunctionFieldsProps) {
  const change = (patch: Partial<FunctionDraft>) => onChange({ ...draft, ...patch })
  return (
    <>
      {!stored && (
        <Choice
          path="type"
          label={t('功能类型')}
          value={draft.type}
          labels={functionTypeLabels}
          values={Object.values(FunctionType)}
          onChange={(type) => change({ type })}
        />
      )}
      <div className="edit-pair top grid">
        <EditField path="name" label={t('功能名称')} required>
          <TextControl path="name" value={draft.name} max={maxName} onChange={(name) => change({ name })} />
        </EditField>
        <EditField path="identifier" label={t('标识符')} required>
          <TextControl
            path="identifier"
            value={draft.identifier}
            mono
            readOnly={stored}
            placeholder={t('字母、数字、下划线')}
            {...(stored && { suffix: <LockOutlined aria-label={t('保存后不能修改')} /> })}
            onChange={(identifier) => change({ identifier })}
          />
        </EditField>
      </div>
      <KindFields draft={draft} change={change} typeNote={typeNote} />
      <EditField path="desc" label={t('描述')}>
        <TextControl path="desc" value={draft.desc} max={maxDesc} onChange={(desc) => change({ desc })} />
      </EditField>
    </>
  )
}

interface KindFieldsProps {
  draft: FunctionDraft
  change: (patch: Partial<FunctionDraft>) => void
  typeNote: ReactNode
}

function KindFields({ draft, change, typeNote }: KindFieldsProps) {
  const params = (list: 'params' | 'input' | 'output', heading: string) => (
    <MemberRows
      path={list}
      kind="param"
      heading={heading}
      members={draft[list]}
      depth={1}
      renderDefine={(props) => <DefineFields {...props} />}
      onChange={(members) => change({ [list]: members })}
    />
  )
  switch (draft.type) {
    case FunctionType.property:
      return <PropertyFields draft={draft} change={change} typeNote={typeNote} />
    case FunctionType.event:
      return (
        <>
          <Choice
            path="eventType"
            label={t('事件类型')}
            value={draft.eventType}
            labels={eventTypeLabels}
            values={[EventType.alert, EventType.fault, EventType.info]}
            onChange={(eventType) => change({ eventType })}
          />
          {params('params', t('事件参数'))}
        </>
      )
    case FunctionType.action:
      return (
        <>
          <Choice
            path="dir"
            label={t('调用方向')}
            value={draft.dir}
            labels={actionDirectionLabels}
            values={[ActionDirection.down, ActionDirection.up]}
            extra={draft.dir === ActionDirection.down ? t('平台调用，设备执行并回复') : t('设备调用，应用处理并回复')}
            onChange={(dir) => change({ dir })}
          />
          {params('input', t('调用参数'))}
          {params('output', t('返回参数', { context: 'model' }))}
        </>
      )
  }
}

function PropertyFields({ draft, change, typeNote }: KindFieldsProps) {
  return (
    <>
      <EditField path="define.type" label={t('数据类型')} required group extra={typeNote}>
        <TypeButtons
          path="define.type"
          label={t('数据类型')}
          value={draft.define.type}
          onChange={(type) => change({ define: withType(draft.define, type) })}
        />
      </EditField>
      <DefineFields draft={draft.define} onChange={(define) => change({ define })} path="define" depth={1} />
      <div className="edit-pair top grid">
        <Choice
          path="mode"
          label={t('读写类型')}
          value={draft.mode}
          labels={propertyModeLabels}
          values={[PropertyMode.readWrite, PropertyMode.read]}
          onChange={(mode) => change({ mode })}
        />
        <SwitchField
          path="isUseShadow"
          label={t('设备影子')}
          checked={draft.isUseShadow}
          text={draft.isUseShadow ? t('开启，离线时缓存期望值') : t('关闭', { context: 'state' })}
          onChange={(isUseShadow) => change({ isUseShadow })}
        />
      </div>
      <SwitchField
        path="isNoRecord"
        label={t('历史记录')}
        checked={!draft.isNoRecord}
        text={draft.isNoRecord ? t('不保存，只保留最新值') : t('保存每次上报的值')}
        onChange={(record) => change({ isNoRecord: !record })}
      />
    </>
  )
}

interface SwitchFieldProps {
  path: string
  label: string
  checked: boolean
  /** What the position means. */
  text: string
  onChange: (checked: boolean) => void
}

function SwitchField({ path, label, checked, text, onChange }: SwitchFieldProps) {
  const { control } = useEditField(path)
  return (
    <EditField path={path} label={label}>
      <span className="edit-switch row gap-8">
        <Switch size="small" id={control.id} checked={checked} disabled={control.disabled} onChange={onChange} />
        <label htmlFor={control.id}>{text}</label>
      </span>
    </EditField>
  )
}

interface ChoiceProps<V extends string | number> {
  path: string
  label: string
  value: V
  values: readonly V[]
  labels: Readonly<Record<V, string>>
  extra?: string
  onChange: (value: V) => void
}

function Choice<V extends string | number>({ path, label, value, values, labels, extra, onChange }: ChoiceProps<V>) {
  const { control } = useEditField(path)
  return (
    <EditField path={path} label={label} required group {...(extra && { extra })}>
      <Segmented
        block
        aria-label={label}
        disabled={control.disabled}
        value={value}
        options={values.map((one) => ({ value: one, label: t(labels[one]) }))}
        onChange={onChange}
      />
    </EditField>
  )
}
