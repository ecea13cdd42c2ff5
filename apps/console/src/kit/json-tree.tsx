import { t } from '@ithings/contract/text.ts'
import { useState } from 'react'

// A payload can be large: beyond this many members a level shows the rest on demand, so the page stays quick.
const firstMembers = 100

interface NodeProps {
  name: string | undefined
  value: unknown
  level: number
  openLevels: number
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

const membersOf = (value: object): [string, unknown][] =>
  Array.isArray(value) ? value.map((one, at) => [String(at), one]) : Object.entries(value)

function Leaf({ value }: { value: unknown }) {
  if (value === null) return <span className="json-null">null</span>
  return <span className={`json-${typeof value}`}>{JSON.stringify(value) ?? String(value)}</span>
}

function Branch({ value, level, openLevels, name }: NodeProps & { value: object }) {
  const [open, setOpen] = useState(level < openLevels)
  const [all, setAll] = useState(false)
  const members = membersOf(value)
  const [left, right] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const shown = all ? members : members.slice(0, firstMembers)
  if (members.length === 0) {
    return (
      <div className="json-line anywhere">
        <Name name={name} />
        {left}
        {right}
      </div>
    )
  }
  return (
    <div className="json-line anywhere">
      <button
        type="button"
        className="plain-button start"
        style={{ marginInlineStart: -14 }}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className="quiet inline-block" style={{ width: 14 }} aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        <Name name={name} />
        {left}
        {!open && (
          <span className="quiet" style={{ padding: '0 4px' }}>
            {t('{count} 项', { count: members.length })}
            {right}
          </span>
        )}
      </button>
      {open && (
        <>
          <div style={{ paddingInlineStart: 6 }}>
            {shown.map(([key, member]) => (
              <Node
                key={key}
                name={Array.isArray(value) ? undefined : key}
                value={member}
                level={level + 1}
                openLevels={openLevels}
              />
            ))}
            {members.length > shown.length && (
              <button
                type="button"
                className="plain-button link"
                style={{ paddingInlineStart: 14 }}
                onClick={() => setAll(true)}
              >
                {t('显示其余 {count} 项', { count: members.length - shown.length })}
              </button>
            )}
          </div>
          {right}
        </>
      )}
    </div>
  )
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span className="json-name">{JSON.stringify(name)}: </span>
}

function Node(props: NodeProps) {
  const { value } = props
  if (isBranch(value)) return <Branch {...props} value={value} />
  return (
    <div className="json-line anywhere">
      <Name name={props.name} />
      <Leaf value={value} />
    </div>
  )
}

export function JsonTree({ value, openLevels }: { value: unknown; openLevels: number }) {
  return <Node name={undefined} value={value} level={0} openLevels={openLevels} />
}
