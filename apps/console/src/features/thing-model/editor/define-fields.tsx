/** What a type needs to be told: one body for each of the eight (screens.md 4.2). */
import { t } from '@ithings/contract/text.ts'
import { DataType } from '@ithings/contract/thing-model/define.ts'
import { maxMappingLabel, maxStringLength, maxUnit } from '@ithings/contract/thing-model/limits.ts'
import { type DefineDraft, withType } from '../function-draft.ts'
import { EditField, TextControl } from './edit-field.tsx'
import { EnumRows } from './enum-rows.tsx'
import { MemberRows } from './member-rows.tsx'
import { TypeSelect } from './type-choice.tsx'

export interface DefineFieldsProps {
  draft: DefineDraft
  onChange: (draft: DefineDraft) => void
  path: string
  /** 1 for a property; members and elements lie deeper. */
  depth: number
}

export function DefineFields(props: DefineFieldsProps) {
  const { draft, onChange, path, depth } = props
  switch (draft.type) {
    case DataType.bool:
      return <BoolFields {...props} />
    case DataType.enum:
      return <EnumRows path={`${path}.items`} rows={draft.items} onChange={(items) => onChange({ ...draft, items })} />
    case DataType.int:
    case DataType.float:
      return <NumberFields {...props} />
    case DataType.string:
      return (
        <EditField path={`${path}.length`} label={t('最大长度')} extra={t('按 UTF-8 字节计，一个汉字 3 字节')}>
          <TextControl
            path={`${path}.length`}
            value={draft.length}
            numeric
            suffix={t('字节')}
            placeholder={String(maxStringLength)}
            onChange={(length) => onChange({ ...draft, length })}
          />
        </EditField>
      )
    case DataType.timestamp:
      return <p className="meta bare">{t('整数型 UTC 时间戳（秒），不需要其他定义。')}</p>
    case DataType.struct:
      return (
        <MemberRows
          path={`${path}.members`}
          kind="member"
          members={draft.members}
          depth={depth + 1}
          renderDefine={renderDefine}
          onChange={(members) => onChange({ ...draft, members })}
        />
      )
    case DataType.array:
      return <ElementFields {...props} />
  }
}

/** Handed to the rows, which would otherwise import this file in a ring. */
const renderDefine = (props: DefineFieldsProps) => <DefineFields {...props} />

function BoolFields({ draft, onChange, path }: DefineFieldsProps) {
  return (
    <div className="edit-pair top grid">
      <EditField path={`${path}.off`} label={t('0 的说明')} required>
        <TextControl
          path={`${path}.off`}
          value={draft.off}
          max={maxMappingLabel}
          onChange={(off) => onChange({ ...draft, off })}
        />
      </EditField>
      <EditField path={`${path}.on`} label={t('1 的说明')} required>
        <TextControl
          path={`${path}.on`}
          value={draft.on}
          max={maxMappingLabel}
          onChange={(on) => onChange({ ...draft, on })}
        />
      </EditField>
    </div>
  )
}

const numberFields = [
  { key: 'min', label: '最小值', placeholder: '不限' },
  { key: 'max', label: '最大值', placeholder: '不限' },
  { key: 'start', label: '初始值', placeholder: '0' },
  { key: 'step', label: '步长', placeholder: '任意' },
] as const

function NumberFields({ draft, onChange, path }: DefineFieldsProps) {
  return (
    <div className="edit-numbers top grid">
      {numberFields.map(({ key, label, placeholder }) => (
        <EditField key={key} path={`${path}.${key}`} label={t(label)}>
          <TextControl
            path={`${path}.${key}`}
            value={draft[key]}
            numeric
            // An integer without a step moves by one (thing-model.md 2).
            placeholder={key === 'step' && draft.type === DataType.int ? '1' : t(placeholder, { context: 'limit' })}
            onChange={(text) => onChange({ ...draft, [key]: text })}
          />
        </EditField>
      ))}
      <EditField path={`${path}.unit`} label={t('单位')}>
        <TextControl
          path={`${path}.unit`}
          value={draft.unit}
          max={maxUnit}
          placeholder={t('无')}
          onChange={(unit) => onChange({ ...draft, unit })}
        />
      </EditField>
    </div>
  )
}

function ElementFields({ draft, onChange, path, depth }: DefineFieldsProps) {
  const { element } = draft
  if (!element) return null
  const own = `${path}.element`
  const change = (next: DefineDraft) => onChange({ ...draft, element: next })
  return (
    <div className="edit-nested column gap-12">
      <EditField path={`${own}.type`} label={t('元素类型')} required>
        <TypeSelect
          path={`${own}.type`}
          label={t('元素类型')}
          value={element.type}
          depth={depth + 1}
          onChange={(type) => change(withType(element, type))}
        />
      </EditField>
      <DefineFields draft={element} onChange={change} path={own} depth={depth + 1} />
    </div>
  )
}
