import type { FilterTexts } from './filter-values.ts'
import type { ListCounter } from './list-contract.ts'

interface CountersProps {
  counters: readonly ListCounter[]
  filters: FilterTexts
  onPick: (filter: Record<string, string>) => void
}

/** look.md 12: counters are filters. A counter is on when its own values are exactly those set among all counters. */
export function Counters({ counters, filters, onPick }: CountersProps) {
  const names = [...new Set(counters.flatMap((counter) => Object.keys(counter.filter)))]
  const isOn = (counter: ListCounter) => names.every((name) => (counter.filter[name] ?? '') === (filters[name] ?? ''))
  return (
    <div className="list-card counters">
      {counters.map((counter) => (
        <button
          key={counter.key}
          type="button"
          className={isOn(counter) ? 'plain-button counter counter-on' : 'plain-button counter'}
          aria-pressed={isOn(counter)}
          onClick={() => onPick(Object.fromEntries(names.map((name) => [name, counter.filter[name] ?? ''])))}
        >
          <span className="counter-label">
            {counter.tone && (
              <span
                className={`counter-dot tone-${counter.tone} ${counter.ring ? 'counter-ring' : ''}`}
                aria-hidden="true"
              />
            )}
            {counter.label}
          </span>
          <span className="counter-value">
            {counter.value === undefined ? '—' : counter.value.toLocaleString()}
            {counter.hint !== undefined && <span className="counter-hint">{counter.hint}</span>}
          </span>
        </button>
      ))}
    </div>
  )
}
