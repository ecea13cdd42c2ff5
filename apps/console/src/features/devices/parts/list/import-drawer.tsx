import { DownloadOutlined, FileTextOutlined, InboxOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { importDevices } from '@ithings/contract/features/devices/bulk.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Drawer, Progress, Spin, Steps, Upload } from 'antd'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { someProductQuery, useImportDevices } from '../../queries.ts'
import './devices.css'
import { importHint, refuseImport, saveFailedRows, saveTemplate, sendingOf } from './import-csv.ts'
import { ImportFigures, ImportRows } from './import-rows.tsx'

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
  if (success === 0) return '没有可导入的行'
  return errdata ? `只导入正确的 ${success.toLocaleString()} 行` : `导入 ${success.toLocaleString()} 台设备`
}

/** Choose, see what is wrong with which row, then write (screens.md 5). */
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const phone = usePhone()
  // The sample of the template names one of them.
  const products = useQuery({ ...someProductQuery, enabled: open })
  const { state, check, write, restart } = useImportSteps()
  const { step, file, answer, refusal, share } = state
  const busy = share !== undefined
  const sent = sendingOf(share ?? 0, step === 'choose')
  const bad = answer?.errdata ?? []
  return (
    <Drawer
      title="导入设备"
      open={open}
      onClose={() => !busy && onClose()}
      size={phone ? '100%' : 880}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      mask={{ closable: step !== 'checked' && !busy }}
      footer={
        <div className="form-buttons import-buttons">
          <span className="form-footer-extra">
            {step === 'choose' ? (
              <Button
                type="link"
                icon={<DownloadOutlined />}
                onClick={() => saveTemplate(products.data?.list[0]?.productName)}
              >
                下载模板
              </Button>
            ) : (
              bad.length > 0 && (
                <Button icon={<DownloadOutlined />} onClick={() => saveFailedRows(bad)}>
                  下载{step === 'done' ? '失败' : '有误'}的行
                </Button>
              )
            )}
          </span>
          {step === 'checked' && (
            <Button disabled={busy} onClick={restart}>
              重新选择文件
            </Button>
          )}
          {step === 'checked' && answer && (
            <Button type="primary" loading={busy} disabled={answer.success === 0} onClick={write}>
              {importText(answer)}
            </Button>
          )}
          {step === 'done' && (
            <>
              <Button onClick={restart}>继续导入</Button>
              <Button type="primary" onClick={onClose}>
                完成
              </Button>
            </>
          )}
        </div>
      }
    >
      <div className="column gap-16">
        <Steps size="small" current={steps.indexOf(step)} items={stepItems} responsive={false} />
        {refusal && <Alert type="error" showIcon title={refusal} />}
        {file && (
          <span className="row gap-8">
            <FileTextOutlined aria-hidden="true" />
            {file.name}
          </span>
        )}
        {busy && (
          <div role="status">
            {sent.percent === undefined ? (
              <Spin size="small" />
            ) : (
              <Progress percent={sent.percent} size="small" aria-label="上传进度" />
            )}{' '}
            <span className="meta">{sent.text}…</span>
          </div>
        )}
        {step === 'choose' && !busy && (
          <Upload.Dragger
            accept=".csv,text/csv"
            showUploadList={false}
            height={220}
            beforeUpload={(chosen) => {
              void check(chosen)
              return false
            }}
          >
            <p className="import-icon">
              <InboxOutlined />
            </p>
            <p>选择或拖入设备清单</p>
            <p className="meta">{importHint}</p>
            <p className="meta">先逐行检查并列出问题，确认之后才会写入。</p>
          </Upload.Dragger>
        )}
        {answer && <ImportFigures answer={answer} done={step === 'done'} />}
        {answer && <ImportRows rows={bad} total={answer.total} done={step === 'done'} />}
      </div>
    </Drawer>
  )
}
