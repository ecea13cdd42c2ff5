import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import './chart.css'
import { ExportButton } from './export-button.tsx'
import { type TableExport, useTableExport } from './exporting.ts'

interface ChartExportProps extends Pick<TableExport, 'title' | 'source' | 'rows'> {
  columns: () => ExportColumn[]
}

/** What a chart shows, as a file that the server writes: a quiet button that takes no room of its own. */
export function ChartExport({ columns, ...table }: ChartExportProps) {
  const exportTable = useTableExport()
  return (
    <span className="chart-export">
      <ExportButton
        type="text"
        size="small"
        aria-label={t('导出「{title}」', { title: table.title })}
        onPick={(format) => exportTable({ ...table, format, columns: columns() })}
      />
    </span>
  )
}
