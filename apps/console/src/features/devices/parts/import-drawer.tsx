import { DownloadOutlined, FileTextOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { ImportRow, importDevices } from '@ithings/contract/features/devices/bulk.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Progress, Spin, Steps, Table } from 'antd'
import { useState } from 'react'
import { someProductQuery, useImportDevices } from '#blocks/device/queries.ts'
import { FileDrop } from '#kit/import-drawer.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import './devices.css'
import { numberText } from '#kit/number-text.ts'
import { importHint, refuseImport, saveFailedRows, saveTemplate, sendingOf } from './import-csv.ts'

type Answer = DataOf<typeof importDevices>

interface ImportState {
  step: 'choose' | 'checked' | 'done'
  file?: File
  answer?: Answer
  refusal?: string
  /** 0 to 1 of the bytes sent; undefined: nothing runs. */
  share?: number
}

const steps = ['choose', 'checked', 'done'] as const
const stepItems = [{ title: '选择文件' }, { title: '检查' }, { title: '导入' }]

function useImportSteps() {
  const send = useImportDevices()
  const [state, setState] = useState<ImportState>({ step: 'choose' })
  const run = async (before: ImportState, file: File, dryRun: boolean) => {
    setState({ ...before, file, share: 0 })
    try {
      const onProgress = (share: number) => setState({ ...before, file, share })
      const answer = await send.mutateAsync({ file, dryRun, onProgress })
      setState({ step: dryRun ? 'checked' : 'done', file, answer })
    } catch (error) {
      setState({ ...before, file, refusal: describeError(error).reason })
    }
  }
  return {
    state,
    check: (file: File) => {
      const refusal = refuseImport(file)
      if (refusal === undefined) return run({ step: 'choose' }, file, true)
      setState({ step: 'choose', refusal })
      return Promise.resolve()
    },
    write: () => {
      const { step, answer } = state
      if (state.file) void run({ step, ...(answer && { answer }) }, state.file, false)
    },
    restart: () => setState({ step: 'choose' }),
  }
}

const importText = ({ success, errdata }: Answer): string => {
  if (success === 0) return t('没有可导入的行')
  return errdata
    ? t('只导入正确的 {count, number} 行', { count: success })
    : t('导入 {count, number} 台设备', { count: success })
}

function ImportFigures({ answer, done }: { answer: Answer; done: boolean }) {
  const bad = answer.errdata?.length ?? 0
  const figure = (label: string, value: number, tone = '') => (
    <div className="boxed grow">
      <dt className="small softer">{label}</dt>
      <dd className={`bare bold ${tone}`}>{numberText(value)}</dd>
    </div>
  )
  return (
    <dl className="import-figures flex bare gap-16">
      {figure(t('总行数'), answer.total)}
      {figure(done ? t('成功') : t('可以导入'), answer.success, answer.success > 0 ? 'tone-success' : '')}
      {figure(done ? t('失败') : t('有误'), bad, bad > 0 ? 'tone-error' : '')}
    </dl>
  )
}

interface ImportRowsProps {
  rows: readonly ImportRow[]
  total: number
  done: boolean
}

const verdict = ({ rows, total, done }: ImportRowsProps) => {
  if (total === 0) return <Alert type="warning" showIcon title={t('文件里没有设备，只有表头')} />
  if (rows.length > 0) return undefined
  return <Alert type="success" showIcon title={done ? t('全部导入成功') : t('每一行都正确，还没有写入任何设备')} />
}

/** Each bad row with its number in the file and the reason. */
function ImportRows(props: ImportRowsProps) {
  const words = verdict(props)
  if (words) return words
  return (
    <Table<ImportRow>
      size="small"
      rowKey="row"
      dataSource={[...props.rows]}
      scroll={{ x: 'max-content' }}
      pagination={
        props.rows.length > 10
          ? { size: 'small', defaultPageSize: 10, showTotal: (count) => t('共 {count} 行有误', { count }) }
          : false
      }
      columns={[
        { key: 'row', title: t('数据行'), dataIndex: 'row', width: 80 },
        { key: 'tips', title: t('原因'), dataIndex: 'tips', className: 'tone-error' },
        { key: 'productName', title: t('产品名称'), dataIndex: 'productName' },
        { key: 'deviceName', title: t('设备名称'), dataIndex: 'deviceName', className: 'mono' },
        { key: 'deviceAlias', title: t('设备别名'), dataIndex: 'deviceAlias' },
        { key: 'tags', title: t('设备标签'), dataIndex: 'tags' },
        { key: 'position', title: t('设备位置'), dataIndex: 'position' },
      ]}
    />
  )
}

interface StepProps extends Pick<ReturnType<typeof useImportSteps>, 'state' | 'write' | 'restart'> {
  bad: readonly ImportRow[]
  onClose: () => void
}

/** The files one can take along, and the way to the next step. */
function ImportButtons({ state, bad, write, restart, onClose }: StepProps) {
  const { step, answer, share } = state
  const busy = share !== undefined
  // The sample of the template names one of them.
  const products = useQuery(someProductQuery)
  return (
    <div className="form-buttons import-buttons">
      <span className="form-footer-extra">
        {step === 'choose' && (
          <Button
            type="link"
            icon={<DownloadOutlined />}
            onClick={() => saveTemplate(products.data?.list[0]?.productName)}
          >
            {t('下载模板')}
          </Button>
        )}
        {step !== 'choose' && bad.length > 0 && (
          <Button icon={<DownloadOutlined />} onClick={() => saveFailedRows(bad)}>
            {step === 'done' ? t('下载失败的行') : t('下载有误的行')}
          </Button>
        )}
      </span>
      {step === 'checked' && (
        <Button disabled={busy} onClick={restart}>
          {t('重新选择文件')}
        </Button>
      )}
      {step === 'checked' && answer && (
        <Button type="primary" loading={busy} disabled={answer.success === 0} onClick={write}>
          {importText(answer)}
        </Button>
      )}
      {step === 'done' && (
        <>
          <Button onClick={restart}>{t('继续导入')}</Button>
          <Button type="primary" onClick={onClose}>
            {t('完成')}
          </Button>
        </>
      )}
    </div>
  )
}

function Sending({ share, dryRun }: { share: number; dryRun: boolean }) {
  const { percent, text } = sendingOf(share, dryRun)
  return (
    <div role="status">
      {percent === undefined ? (
        <Spin size="small" />
      ) : (
        <Progress percent={percent} size="small" aria-label={t('上传进度')} />
      )}{' '}
      <span className="meta">{text}…</span>
    </div>
  )
}

/** Choose, see what is wrong with which row, then write (screens.md 5). */
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { state, check, write, restart } = useImportSteps()
  const { step, file, answer, refusal, share } = state
  const busy = share !== undefined
  const bad = answer?.errdata ?? []
  return (
    <SideDrawer
      title={t('导入设备')}
      width={880}
      open={open}
      onClose={onClose}
      busy={busy}
      mask={{ closable: step !== 'checked' && !busy }}
      footer={<ImportButtons state={state} bad={bad} write={write} restart={restart} onClose={onClose} />}
    >
      <div className="column gap-16">
        <Steps
          size="small"
          current={steps.indexOf(step)}
          items={stepItems.map(({ title }) => ({ title: t(title) }))}
          responsive={false}
        />
        {refusal && <Alert type="error" showIcon title={refusal} />}
        {file && (
          <span className="row gap-8">
            <FileTextOutlined aria-hidden="true" />
            {file.name}
          </span>
        )}
        {busy && <Sending share={share} dryRun={step === 'choose'} />}
        {step === 'choose' && !busy && (
          <FileDrop
            accept=".csv,text/csv"
            text={t('选择或拖入设备清单')}
            help={importHint()}
            note={t('先逐行检查并列出问题，确认之后才会写入。')}
            onFile={(chosen) => void check(chosen)}
          />
        )}
        {answer && <ImportFigures answer={answer} done={step === 'done'} />}
        {answer && <ImportRows rows={bad} total={answer.total} done={step === 'done'} />}
      </div>
    </SideDrawer>
  )
}
