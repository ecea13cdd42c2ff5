import type { FilterTexts } from './filter-values.ts'
import type { ListCounter } from './list-contract.ts'

interface CountersProps {
  counters: readonly ListCounter[]
  filters: FilterTexts
  onPick: (filter: Record<string, string>) => void
}

/** look.md 12: counters are filters. A counter is on when its own values are exactly those set among all counters. */
export function Counters({ counters, filters, onPick }: CountersProps) {
  const names = [...new Set(counters.flatMap((counter) => Object.keys(counter.filter ?? {})))]
  const isOn = ({ filter = {} }: ListCounter) => names.every((name) => (filter[name] ?? '') === (filters[name] ?? ''))
  return (
    <div className="list-card counters">
      {counters.map((counter) =>
        counter.filter ? (
          <button
            key={counter.key}
            type="button"
            className={isOn(counter) ? 'plain-button counter counter-on' : 'plain-button counter'}
            aria-pressed={isOn(counter)}
            onClick={() => onPick(Object.fromEntries(names.map((name) => [name, counter.filter?.[name] ?? ''])))}
          >
            <Figure counter={counter} />
          </button>
        ) : (
          <div key={counter.key} className="counter counter-told">
            <Figure counter={counter} />
          </div>
        ),
      )}
    </div>
  )
}

const Figure = ({ counter: { label, value, tone, ring, hint } }: { counter: ListCounter }) => (
  <>
    <span className="counter-label row softer gap-8">
      {tone && <span className={`counter-dot tone-${tone} ${ring ? 'counter-ring' : ''}`} aria-hidden="true" />}
      {label}
    </span>
    <span className="counter-value flex baseline bold">
      {value === undefined ? '—' : value.toLocaleString()}
      {hint !== undefined && <span className="counter-hint small quiet">{hint}</span>}
    </span>
  </>
)
