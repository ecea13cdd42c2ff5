import { ArrowUpOutlined, CopyOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { maxName } from '@ithings/contract/thing-model/limits.ts'
import { Button, Tooltip } from 'antd'
import { type ReactNode, useContext } from 'react'
import { type DefineDraft, type MemberDraft, newKey, newMember, withType } from '../function-draft.ts'
import { EditField, EditorContext, FieldIssue, TextControl } from './edit-field.tsx'
import { TypeSelect } from './type-choice.tsx'

const words = {
  member: { nth: '第 {index} 个成员', add: '添加成员' },
  param: { nth: '第 {index} 个参数', add: '添加参数' },
} as const

interface MemberRowsProps {
  path: string
  kind: keyof typeof words
  /** Above the rows, where the form shows several lists. */
  heading?: string
  members: readonly MemberDraft[]
  onChange: (members: MemberDraft[]) => void
  depth: number
  renderDefine: (props: {
    draft: DefineDraft
    onChange: (draft: DefineDraft) => void
    path: string
    depth: number
  }) => ReactNode
}

/** Struct members and the parameters of events and actions: the same rows. */
export function MemberRows({ path, kind, heading, members, onChange, depth, renderDefine }: MemberRowsProps) {
  const { disabled } = useContext(EditorContext)
  const change = (key: string, patch: Partial<MemberDraft>) =>
    onChange(members.map((one) => (one.key === key ? { ...one, ...patch } : one)))
  const raise = (index: number) =>
    onChange(members.toSpliced(index - 1, 2, ...members.slice(index - 1, index + 1).reverse()))
  return (
    <div className="column shrink gap-6" data-path={path}>
      {heading && <span className="softer">{heading}</span>}
      {members.map((member, index) => {
        const own = `${path}.${member.key}`
        const name = member.name || member.identifier || t(words[kind].nth, { index: index + 1 })
        return (
          <fieldset
            key={member.key}
            className="member-card lined round-6 container-fill column shrink bare gap-12"
            aria-label={name}
          >
            <div className="member-head row gap-4">
              <span className="cut grow shrink bold">
                {index + 1}. {name}
              </span>
              <MemberButton
                label={t('上移{name}', { name })}
                icon={<ArrowUpOutlined />}
                disabled={disabled || index === 0}
                onClick={() => raise(index)}
              />
              <MemberButton
                label={t('复制{name}', { name })}
                icon={<CopyOutlined />}
                disabled={disabled}
                onClick={() => onChange([...members, { ...copyOf(member), identifier: `${member.identifier}_copy` }])}
              />
              <MemberButton
                label={t('移除{name}', { name })}
                icon={<DeleteOutlined />}
                disabled={disabled}
                onClick={() => onChange(members.filter((one) => one.key !== member.key))}
              />
            </div>
            <MemberFields path={own} depth={depth} member={member} onChange={(patch) => change(member.key, patch)} />
            {renderDefine({
              draft: member.define,
              onChange: (define) => change(member.key, { define }),
              path: `${own}.define`,
              depth,
            })}
          </fieldset>
        )
      })}
      <Button
        type="dashed"
        block
        icon={<PlusOutlined />}
        disabled={disabled}
        onClick={() => onChange([...members, newMember()])}
      >
        {t(words[kind].add)}
      </Button>
      <FieldIssue path={path} />
    </div>
  )
}

interface MemberFieldsProps {
  path: string
  depth: number
  member: MemberDraft
  onChange: (patch: Partial<MemberDraft>) => void
}

function MemberFields({ path, depth, member, onChange }: MemberFieldsProps) {
  return (
    <div className="member-fields top grid">
      <EditField path={`${path}.name`} label={t('名称')} required>
        <TextControl
          path={`${path}.name`}
          value={member.name}
          placeholder={t('最长 {max} 个字', { max: maxName })}
          onChange={(text) => onChange({ name: text })}
        />
      </EditField>
      <EditField path={`${path}.identifier`} label={t('标识符')} required>
        <TextControl
          path={`${path}.identifier`}
          mono
          value={member.identifier}
          onChange={(text) => onChange({ identifier: text })}
        />
      </EditField>
      <EditField path={`${path}.define.type`} label={t('数据类型')} required>
        <TypeSelect
          path={`${path}.define.type`}
          label={t('数据类型')}
          depth={depth}
          value={member.define.type}
          onChange={(type) => onChange({ define: withType(member.define, type) })}
        />
      </EditField>
    </div>
  )
}

/** New keys all the way down: a copy must not share the faults of its model. */
const copyOf = (member: MemberDraft): MemberDraft => ({
  ...member,
  key: newKey(),
  define: copyDefine(member.define),
})

const copyDefine = (define: DefineDraft): DefineDraft => ({
  ...define,
  items: define.items.map((item) => ({ ...item, key: newKey() })),
  members: define.members.map(copyOf),
  element: define.element && copyDefine(define.element),
})

interface MemberButtonProps {
  label: string
  icon: ReactNode
  disabled: boolean
  onClick: () => void
}

function MemberButton({ label, icon, disabled, onClick }: MemberButtonProps) {
  return (
    <Tooltip title={label}>
      <Button type="text" size="small" icon={icon} aria-label={label} disabled={disabled} onClick={onClick} />
    </Tooltip>
  )
}
