import { ArrowUpOutlined, CopyOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { maxName } from '@ithings/contract/thing-model/limits.ts'
import { Button, Tooltip } from 'antd'
import { type ReactNode, useContext } from 'react'
import { type DefineDraft, type MemberDraft, newKey, newMember, withType } from '../function-draft.ts'
import { EditField, EditorContext, FieldIssue, TextControl } from './edit-field.tsx'
import { TypeSelect } from './type-choice.tsx'

interface MemberRowsProps {
  path: string
  /** What one of them is called: 成员, 参数. */
  title: string
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
export function MemberRows({ path, title, heading, members, onChange, depth, renderDefine }: MemberRowsProps) {
  const { disabled } = useContext(EditorContext)
  const change = (key: string, patch: Partial<MemberDraft>) =>
    onChange(members.map((one) => (one.key === key ? { ...one, ...patch } : one)))
  const raise = (index: number) => onChange([...members.slice(0, index - 1), ...swapped(members, index)])
  return (
    <div className="edit-field" data-path={path}>
      {heading && <span className="edit-label">{heading}</span>}
      {members.map((member, index) => {
        const own = `${path}.${member.key}`
        const name = member.name || member.identifier || `第 ${index + 1} 个${title}`
        return (
          <fieldset key={member.key} className="member-card" aria-label={name}>
            <div className="member-head row gap-4">
              <span className="cut grow shrink bold">
                {index + 1}. {name}
              </span>
              <MemberButton
                label={`上移${name}`}
                icon={<ArrowUpOutlined />}
                disabled={disabled || index === 0}
                onClick={() => raise(index)}
              />
              <MemberButton
                label={`复制${name}`}
                icon={<CopyOutlined />}
                disabled={disabled}
                onClick={() => onChange([...members, { ...copyOf(member), identifier: `${member.identifier}_copy` }])}
              />
              <MemberButton
                label={`移除${name}`}
                icon={<DeleteOutlined />}
                disabled={disabled}
                onClick={() => onChange(members.filter((one) => one.key !== member.key))}
              />
            </div>
            <div className="member-fields">
              <EditField path={`${own}.name`} label="名称" required>
                <TextControl
                  path={`${own}.name`}
                  value={member.name}
                  placeholder={`最长 ${maxName} 个字`}
                  onChange={(text) => change(member.key, { name: text })}
                />
              </EditField>
              <EditField path={`${own}.identifier`} label="标识符" required>
                <TextControl
                  path={`${own}.identifier`}
                  mono
                  value={member.identifier}
                  onChange={(text) => change(member.key, { identifier: text })}
                />
              </EditField>
              <EditField path={`${own}.define.type`} label="数据类型" required>
                <TypeSelect
                  path={`${own}.define.type`}
                  label="数据类型"
                  depth={depth}
                  value={member.define.type}
                  onChange={(type) => change(member.key, { define: withType(member.define, type) })}
                />
              </EditField>
            </div>
            {renderDefine({
              draft: member.define,
              onChange: (define) => change(member.key, { define }),
              path: `${own}.define`,
              depth,
            })}
          </fieldset>
        )
      })}
      <div className="member-foot">
        <Button
          type="dashed"
          block
          icon={<PlusOutlined />}
          disabled={disabled}
          onClick={() => onChange([...members, newMember()])}
        >
          添加{title}
        </Button>
      </div>
      <FieldIssue path={path} />
    </div>
  )
}

function swapped(members: readonly MemberDraft[], index: number): MemberDraft[] {
  const [above, here] = members.slice(index - 1, index + 1)
  return above && here ? [here, above, ...members.slice(index + 1)] : members.slice(index - 1)
}

/** New keys all the way down: a copy must not share the faults of its model. */
function copyOf(member: MemberDraft): MemberDraft {
  const { define } = member
  return { ...member, key: newKey(), define: copyDefine(define) }
}

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
