import { EyeOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type previewReport, reportBody } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Form, Table } from 'antd'
import { useContext, useEffect, useRef } from 'react'
import { FormContext } from '#kit/form/field.tsx'
import { checkAll } from '#kit/form/schema-rules.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { formatTime } from '#kit/time.ts'
import { withIndex } from '#kit/with-index.ts'
import { usePreview } from '../queries.ts'
import './report-preview.css'

type Preview = DataOf<typeof previewReport>

function PreviewTable({ title, heads, rows, total }: Preview['tables'][number]) {
  const columns = heads.map((head, at) => ({ key: at, title: head, dataIndex: at, ellipsis: false }))
  return (
    <section className="report-preview-table">
      <h4 className="bare">{title}</h4>
      <Table
        size="small"
        pagination={false}
        scroll={{ x: 'max-content' }}
        rowKey="no"
        columns={columns}
        dataSource={withIndex(rows).map(({ no, item }) => ({ no, ...item }))}
        locale={{ emptyText: t('这段时间没有记录') }}
      />
      {total > rows.length && (
        <p className="bare meta">{t('共 {total, number} 行，这里是前 {count} 行', { total, count: rows.length })}</p>
      )}
    </section>
  )
}

function PreviewBody({ data }: { data: Preview }) {
  const { from, to, timeZone, devices, shown, facts, tables } = data
  const body = useRef<HTMLDivElement>(null)
  // It lies below the form: who asks for it sees it, each time it is made.
  useEffect(() => {
    if (data) body.current?.scrollIntoView({ block: 'start' })
  }, [data])
  return (
    <div ref={body} className="column gap-16">
      <span className="meta">
        {t('{from} 至 {to}，按报表时区 {zone} 统计', { from: formatTime(from), to: formatTime(to), zone: timeZone })}
        {devices > shown && t('；共 {devices, number} 台设备，预览只取前 {count} 台', { devices, count: shown })}
      </span>
      <dl className="report-facts bare">
        {facts.map(({ label, value }) => (
          <div key={label} className="boxed pad-8-12 round-6">
            <dt className="meta">{label}</dt>
            <dd className="bare">{value}</dd>
          </div>
        ))}
      </dl>
      {withIndex(tables).map(({ no, item }) => (
        <PreviewTable key={no} {...item} />
      ))}
    </div>
  )
}

/** The figures of the form as it stands, made by the server, before anything is saved. */
export function ReportPreview() {
  const form = Form.useFormInstance()
  const preview = usePreview()
  const labels = useContext(FormContext)?.labels ?? new Map<string, string>()
  const look = async () => {
    const values = { ...form.getFieldsValue(true), name: form.getFieldValue('name') || t('预览') }
    const checked = checkAll(reportBody, values, labels)
    if ('problems' in checked) {
      form.setFields(checked.problems.map(({ path, text }) => ({ name: path, errors: [text] })))
      const [first] = checked.problems
      if (first) form.scrollToField(first.path, { block: 'center', focus: true })
      return
    }
    await preview.mutateAsync(checked.data).catch(() => undefined)
  }
  return (
    <section className="report-preview column gap-16">
      <div className="row between">
        <h3 className="bare">{t('预览')}</h3>
        <Button icon={<EyeOutlined />} loading={preview.isPending} onClick={() => void look()}>
          {t('生成预览')}
        </Button>
      </div>
      {preview.isError && <Alert type="error" showIcon title={describeError(preview.error).reason} />}
      {preview.data && <PreviewBody data={preview.data} />}
      {preview.isIdle && <p className="bare meta">{t('用最近一个时段的真实数据，看看报表会有什么。')}</p>}
    </section>
  )
}
