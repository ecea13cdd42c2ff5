const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.3, strokeLinecap: 'round' } as const

export function DensityIcon() {
  return (
    <span className="anticon" aria-hidden="true">
      <svg width="16" height="16" viewBox="0 0 16 16" {...line} aria-hidden="true">
        <path d="M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11" />
      </svg>
    </span>
  )
}

export function ColumnsIcon() {
  return (
    <span className="anticon" aria-hidden="true">
      <svg width="16" height="16" viewBox="0 0 16 16" {...line} aria-hidden="true">
        <rect x="2" y="2.5" width="12" height="11" rx="1.5" />
        <path d="M6 2.5v11M10 2.5v11" />
      </svg>
    </span>
  )
}
