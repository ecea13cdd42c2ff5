/** First load: the shape of what will come, no spinner inside a table (look.md "States"). */
import { t } from '@ithings/contract/text.ts'
export function ListSkeleton({ columns, rows, phone }: { columns: number; rows: number; phone: boolean }) {
  const lines = Array.from({ length: Math.min(rows, 10) }, (_, at) => at)
  if (phone) {
    return (
      <div className="bare-list column gap-8" role="status" aria-label={t('加载中')}>
        {lines.slice(0, 5).map((line) => (
          <div key={line} className="row-card column gap-10">
            <span className="bone block round-4 grey-fill" style={{ width: '50%', height: 16 }} />
            <span className="bone block round-4 grey-fill" style={{ width: '70%' }} />
            <span className="bone block round-4 grey-fill" style={{ width: '35%' }} />
          </div>
        ))}
      </div>
    )
  }
  const cells = Array.from({ length: Math.max(2, Math.min(columns, 8)) }, (_, at) => at)
  return (
    <div className="table-skeleton" role="status" aria-label={t('加载中')}>
      <div className="skeleton-row line-bottom grid head-fill">
        {cells.map((cell) => (
          <span key={cell} className="bone block round-4 grey-fill" style={{ width: 56 }} />
        ))}
      </div>
      {lines.map((line) => (
        <div key={line} className="skeleton-row line-bottom grid" style={{ opacity: 1 - line * 0.07 }}>
          {cells.map((cell) => (
            <span
              key={cell}
              className="bone block round-4 grey-fill"
              style={{ width: `${40 + ((line * 7 + cell * 13) % 40)}%` }}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
