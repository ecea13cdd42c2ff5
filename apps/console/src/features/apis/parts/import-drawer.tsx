import { httpMethodLabels } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Table } from 'antd'
import { useState } from 'react'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { ImportDrawer as ImportFrame } from '#kit/import-drawer.tsx'
import { runEach } from '#kit/run-each.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { labelOf, type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { compareImport, type ImportRow, ImportState, type NewApi, readOpenApi } from '../openapi-import.ts'
import { postApi, putApi, useApisChanged } from '../queries.ts'

const looks: StatusLooks = {
  [ImportState.added]: { text: '新增', tone: 'success' },
  [ImportState.changed]: { text: '有变化', tone: 'warning' },
  [ImportState.same]: { text: '相同', tone: 'default' },
  [ImportState.builtIn]: { text: '内置', tone: 'default' },
  [ImportState.refused]: { text: '不能导入', tone: 'error' },
}

const canTake = (row: ImportRow): boolean => row.state === ImportState.added || row.state === ImportState.changed

interface ImportTableProps {
  rows: readonly ImportRow[]
  chosen: readonly string[]
  onChoose: (keys: string[]) => void
}

/** What the document holds beside what is registered; only new and changed rows can be chosen. */
function ImportTable({ rows, chosen, onChoose }: ImportTableProps) {
  return (
    <Table<ImportRow>
      size="small"
      dataSource={[...rows]}
      rowKey="key"
      scroll={{ x: 'max-content' }}
      pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
      rowSelection={{
        selectedRowKeys: [...chosen],
        onChange: (keys) => onChoose(keys.map(String)),
        getCheckboxProps: (row) => ({ disabled: !canTake(row) }),
      }}
      columns={[
        { key: 'state', title: t('对比'), render: (_value, row) => <StatusTag looks={looks} value={row.state} /> },
        {
          key: 'route',
          title: t('接口'),
          render: (_value, row) => (
            <>
              <div>{row.api.name}</div>
              <div className="mono-payload softer">
                {labelOf(httpMethodLabels, row.api.method)} {row.api.route}
              </div>
              {row.note && <div className="meta">{row.note}</div>}
            </>
          ),
        },
        { key: 'group', title: t('分组'), render: (_value, row) => row.api.group },
        {
          key: 'type',
          title: t('业务类型'),
          render: (_value, row) => <BusinessTypeTag value={row.api.businessType} />,
        },
      ]}
    />
  )
}

interface Failure {
  row: ImportRow
  reason: string
}

const largestDocument = 5 * 1024 * 1024

/** One call a row; a refused one does not stop the rest. */
function useImport() {
  const changed = useApisChanged()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [failures, setFailures] = useState<Failure[]>([])
  const [saved, setSaved] = useState(0)

  const run = async (rows: readonly ImportRow[]): Promise<boolean> => {
    const failed: Failure[] = []
    let done = 0
    setFailures([])
    setProgress({ done, total: rows.length })
    await runEach(
      rows,
      ({ stored, api }) => (stored ? putApi({ id: stored.id, rev: stored.rev, ...api }) : postApi(api)),
      (row, outcome) => {
        if (outcome.state === 'failed') failed.push({ row, reason: describeError(outcome.error).reason })
        done += 1
        setProgress({ done, total: rows.length })
      },
    )
    await changed()
    setProgress(undefined)
    setFailures(failed)
    setSaved(rows.length - failed.length)
    return failed.length === 0
  }
  return { run, progress, failures, saved, clear: () => setFailures([]) }
}

/** screens.md 15: an OpenAPI file is compared with the registry first, then the chosen rows are written. */
export function ImportDrawer({ list, open, onClose }: { list: readonly Api[]; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const [found, setFound] = useState<NewApi[]>()
  const [refusal, setRefusal] = useState<string>()
  const [chosen, setChosen] = useState<string[]>([])
  const { run, progress, failures, saved, clear } = useImport()
  const rows = found ? compareImport(found, list) : []
  const wanted = rows.filter((row) => canTake(row) && chosen.includes(row.key))

  const take = async (file: File) => {
    if (file.size > largestDocument) return setRefusal(t('文件不能超过 5 MB，「{name}」太大', { name: file.name }))
    try {
      const apis = readOpenApi(await file.text())
      const added = compareImport(apis, list).filter((row) => row.state === ImportState.added)
      setFound(apis)
      setChosen(added.map((row) => row.key))
      setRefusal(undefined)
    } catch (error) {
      setRefusal(
        t('「{name}」{reason}', { name: file.name, reason: error instanceof Error ? error.message : String(error) }),
      )
    }
  }
  const restart = () => {
    setFound(undefined)
    setRefusal(undefined)
    setChosen([])
    clear()
  }
  const submit = async () => {
    if (!(await run(wanted))) return
    void message.success(t('已导入 {count} 个接口', { count: wanted.length }))
    onClose()
  }

  return (
    <ImportFrame
      title={t('从 OpenAPI 导入接口')}
      width={720}
      open={open}
      onClose={onClose}
      afterClose={restart}
      read={found && { all: rows.length, todo: wanted.length }}
      status={
        progress
          ? t('正在导入 {done} / {total}', { done: progress.done, total: progress.total })
          : t('已选 {chosen} / {all} 个接口', { chosen: wanted.length, all: rows.length })
      }
      progress={progress && progress.done / progress.total}
      refusal={refusal}
      running={progress !== undefined}
      file={{
        text: t('选择或拖入 OpenAPI 3 或 Swagger 2 的 JSON 文件'),
        help: t('先与已登记的接口对比，选好之后才会写入；业务类型按请求方式和路由推测。'),
        onFile: (file) => void take(file),
      }}
      onRestart={restart}
      onSubmit={() => void submit()}
    >
      {failures.length > 0 && (
        <Alert
          className="below-12"
          type="error"
          showIcon
          title={t('{saved} 个已导入，{failed} 个没有导入', { saved, failed: failures.length })}
          description={failures.map(({ row, reason }) => (
            <div key={row.key}>{t('{name}：{reason}', { name: row.api.name, reason })}</div>
          ))}
        />
      )}
      <ImportTable rows={rows} chosen={chosen} onChoose={setChosen} />
    </ImportFrame>
  )
}
