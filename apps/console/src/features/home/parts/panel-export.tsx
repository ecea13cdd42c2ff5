import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { ExportButton } from '#kit/export-button.tsx'
import { type TableExport, useTableExport } from '#kit/exporting.ts'

interface PanelExportProps extends Pick<TableExport, 'title' | 'source' | 'rows'> {
  columns: () => ExportColumn[]
}

/** What the chart of a panel shows, as a file that the server writes. */
export function PanelExport({ columns, ...table }: PanelExportProps) {
  const exportTable = useTableExport()
  return (
    <span className="home-export">
      <ExportButton
        type="text"
        size="small"
        onPick={(format) => exportTable({ ...table, format, columns: columns() })}
      />
    </span>
  )
}
