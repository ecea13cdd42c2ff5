// Small line drawings of the states (look.md 15). Colours come from tokens.css, so both themes work.
export type ArtName = 'empty' | 'no-match' | 'error' | 'forbidden' | 'offline'

const frame = { fill: 'var(--container)', stroke: 'var(--border)', strokeWidth: 1.5 }
const bar = { fill: 'var(--fill)' }
const accent = { stroke: 'var(--link)', strokeWidth: 1.5, fill: 'var(--tint)' }
const ground = <path d="M4 62h116" stroke="var(--border)" strokeWidth="1.5" />

const drawings: Record<ArtName, React.ReactNode> = {
  empty: (
    <>
      <g className="art-there">
        <rect x="16" y="4" width="44" height="50" rx="5" {...frame} />
        <rect x="24" y="14" width="28" height="16" rx="3" {...bar} />
        <path d="M24 38h18M24 45h11" stroke="var(--border)" strokeWidth="3" strokeLinecap="round" />
      </g>
      <g className="art-add">
        <rect x="68" y="4" width="44" height="50" rx="5" {...accent} strokeDasharray="4 3" />
        <path d="M90 20v18M81 29h18" stroke="var(--link)" strokeWidth="2" strokeLinecap="round" />
      </g>
      {ground}
    </>
  ),
  'no-match': (
    <>
      <rect x="14" y="2" width="78" height="58" rx="5" {...frame} />
      <circle cx="25" cy="16" r="3" {...bar} />
      <circle cx="25" cy="30" r="3" {...bar} />
      <circle cx="25" cy="44" r="3" {...bar} />
      <path d="M34 16h44M34 30h30M34 44h22" stroke="var(--fill)" strokeWidth="5" strokeLinecap="round" />
      <circle cx="84" cy="38" r="17" {...accent} />
      <path d="M78 32l12 12M90 32L78 44" stroke="var(--link)" strokeWidth="1.8" strokeLinecap="round" />
      <path d="M97 51l11 11" stroke="var(--link)" strokeWidth="3" strokeLinecap="round" />
    </>
  ),
  error: (
    <>
      <rect x="10" y="16" width="36" height="32" rx="5" {...frame} />
      <path d="M18 27h20M18 35h13" stroke="var(--border)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="62" cy="32" r="12" fill="var(--error-fill)" stroke="var(--error-dot)" strokeWidth="1.5" />
      <path d="M58 28l8 8M66 28l-8 8" stroke="var(--error-dot)" strokeWidth="1.8" strokeLinecap="round" />
      <rect x="78" y="16" width="36" height="32" rx="5" {...frame} />
      <circle cx="88" cy="32" r="2.5" fill="var(--border)" />
      <circle cx="96" cy="32" r="2.5" fill="var(--border)" />
      <circle cx="104" cy="32" r="2.5" fill="var(--border)" />
      {ground}
    </>
  ),
  forbidden: (
    <>
      <rect x="18" y="2" width="84" height="58" rx="6" {...frame} />
      <path d="M18 15h84" stroke="var(--border)" strokeWidth="1.5" />
      <circle cx="26" cy="8.5" r="1.5" fill="var(--border)" />
      <circle cx="32" cy="8.5" r="1.5" fill="var(--border)" />
      <path d="M28 27h24M28 38h14M28 49h18" stroke="var(--fill)" strokeWidth="5" strokeLinecap="round" />
      <path d="M71 33v-6a9 9 0 0 1 18 0v6" fill="none" stroke="var(--link)" strokeWidth="1.5" />
      <rect x="64" y="33" width="32" height="24" rx="4" {...accent} />
      <path d="M80 42v6" stroke="var(--link)" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  offline: (
    <>
      <path
        d="M38 50a14 14 0 0 1-1-28 20 20 0 0 1 38-3 15.5 15.5 0 0 1 12 31z"
        fill="var(--container)"
        stroke="var(--border)"
        strokeWidth="1.5"
      />
      <circle cx="84" cy="44" r="13" fill="var(--warning-fill)" stroke="var(--warning-dot)" strokeWidth="1.5" />
      <path d="M84 38v7M84 49.5v.5" stroke="var(--warning-dot)" strokeWidth="2" strokeLinecap="round" />
      {ground}
    </>
  ),
}

export function StateArt({ name }: { name: ArtName }) {
  return (
    <svg className="state-art" width="124" height="66" viewBox="0 0 124 66" aria-hidden="true" fill="none">
      {drawings[name]}
    </svg>
  )
}
