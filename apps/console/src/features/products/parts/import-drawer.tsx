import { InboxOutlined } from '@ant-design/icons'
import { Alert, App, Button, Drawer, Switch, Upload } from 'antd'
import { useId, useState } from 'react'
import '#kit/form/form.css'
import { type Outcome, runEach } from '#kit/run-each.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useProductWork } from '../queries.ts'
import { readProducts } from '../read-product-file.ts'
import { type ImportRow, ImportRows } from './import-rows.tsx'

const largestFile = 20 * 1024 * 1024

/** The counterpart of 导出: a file of products is looked at first, then each becomes a product with its model. */
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const phone = usePhone()
  const id = useId()
  const { message } = App.useApp()
  const work = useProductWork()
  const [rows, setRows] = useState<ImportRow[]>()
  const [refusal, setRefusal] = useState<string>()
  const [keepIDs, setKeepIDs] = useState(false)
  const [running, setRunning] = useState(false)
  const todo = (rows ?? []).filter((row) => row.problems.length === 0 && row.outcome?.state !== 'done')

  const take = async (file: File) => {
    if (file.size > largestFile) return setRefusal(`文件不能超过 20 MB，「${file.name}」太大`)
    try {
      setRows(readProducts(await file.text()).map((read, key) => ({ ...read, key })))
      setRefusal(undefined)
    } catch (error) {
      setRefusal(`「${file.name}」${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const change = (key: number, patch: Partial<ImportRow>) =>
    setRows((before) => before?.map((row) => (row.key === key ? { ...row, ...patch } : row)))
  const restart = () => {
    setRows(undefined)
    setRefusal(undefined)
  }
  const close = () => {
    if (running) return
    restart()
    onClose()
  }
  const submit = async () => {
    setRunning(true)
    const outcomes: Outcome[] = []
    await runEach(
      todo,
      ({ info, tsl }) => {
        const { productID, ...rest } = info
        return work.createWithModel({ ...rest, ...(keepIDs && productID && { productID }) }, tsl)
      },
      (row, outcome) => {
        outcomes.push(outcome)
        change(row.key, { outcome })
      },
    )
    await work.refresh()
    setRunning(false)
    if (outcomes.some(({ state }) => state === 'failed')) return
    void message.success(`已导入 ${outcomes.length} 个产品`)
    restart()
    onClose()
  }

  return (
    <Drawer
      title="导入产品"
      open={open}
      onClose={close}
      size={phone ? '100%' : 640}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        rows && (
          <div className="form-buttons">
            <span className="form-footer-extra meta" role="status">
              {todo.length} / {rows.length} 个可导入
            </span>
            <Button onClick={restart} disabled={running}>
              重新选择文件
            </Button>
            <Button type="primary" loading={running} disabled={todo.length === 0} onClick={() => void submit()}>
              导入
            </Button>
          </div>
        )
      }
    >
      {refusal && <Alert className="field-alert" type="error" showIcon title={refusal} />}
      {rows ? (
        <>
          <label className="import-option" htmlFor={id}>
            <Switch id={id} checked={keepIDs} disabled={running} onChange={setKeepIDs} />
            <span>
              沿用文件中的产品 ID
              <span className="meta">已有设备按原 ID 接入时打开；关闭则由平台生成新的 ID</span>
            </span>
          </label>
          <ImportRows
            rows={rows}
            disabled={running}
            onRename={(row, productName) => {
              const { outcome: _, ...rest } = row
              setRows((before) =>
                before?.map((one) => (one.key === row.key ? { ...rest, info: { ...row.info, productName } } : one)),
              )
            }}
          />
        </>
      ) : (
        <Upload.Dragger
          accept=".json,application/json"
          showUploadList={false}
          height={220}
          beforeUpload={(file) => {
            void take(file)
            return false
          }}
        >
          <p className="import-icon">
            <InboxOutlined />
          </p>
          <p>选择或拖入从产品列表导出的 JSON 文件</p>
          <p className="meta">含产品信息和物模型；先检查，确认后才会创建。密钥、图片和设备不在文件中。</p>
        </Upload.Dragger>
      )}
    </Drawer>
  )
}
