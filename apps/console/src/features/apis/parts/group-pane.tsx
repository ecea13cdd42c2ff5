import type { ApiGroup } from '../api-groups.ts'

interface GroupPaneProps {
  groups: readonly ApiGroup[]
  /** Undefined: not known yet. */
  total: number | undefined
  active: string | undefined
  onPick: (group: string | undefined) => void
}

/** The groups with their counts beside the list; the choice is the list's own filter in the URL. */
export function GroupPane({ groups, total, active, onPick }: GroupPaneProps) {
  const row = (key: string | undefined, name: string, count: number | undefined) => (
    <li key={name}>
      <button
        type="button"
        className={key === active ? 'plain-button group-row group-row-on' : 'plain-button group-row'}
        aria-pressed={key === active}
        onClick={() => onPick(key)}
      >
        <span className="cut" title={name}>
          {name}
        </span>
        <span className="group-count small quiet">{count?.toLocaleString()}</span>
      </button>
    </li>
  )
  return (
    <nav className="list-card group-pane" aria-label="接口分组">
      <h2 className="group-title bare quiet">接口分组</h2>
      <ul>
        {row(undefined, '全部接口', total)}
        {groups.map((group) => row(group.name, group.name, group.count))}
      </ul>
    </nav>
  )
}
