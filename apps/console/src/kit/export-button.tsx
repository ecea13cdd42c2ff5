import { DownloadOutlined } from '@ant-design/icons'
import { type TableFormat, tableFormats } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, type ButtonProps, Dropdown } from 'antd'

const names: Record<TableFormat, string> = { csv: 'CSV', xlsx: 'Excel (XLSX)', parquet: 'Parquet' }

interface ExportButtonProps
  extends Pick<ButtonProps, 'type' | 'size' | 'loading' | 'icon' | 'children' | 'aria-label'> {
  onPick: (format: TableFormat) => void
}

/** Which kind of file is chosen first. Without a text it is an icon. */
export function ExportButton({ onPick, children, ...button }: ExportButtonProps) {
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: tableFormats.map((format) => ({ key: format, label: names[format] })),
        onClick: ({ key }) => onPick(key as TableFormat),
      }}
    >
      <Button icon={<DownloadOutlined />} aria-label={children ? undefined : t('导出')} {...button}>
        {children}
      </Button>
    </Dropdown>
  )
}
