import { App } from 'antd'
import { useState } from 'react'
import { ImportDrawer as ImportFrame } from '#kit/import-drawer.tsx'
import { type Outcome, runEach } from '#kit/run-each.ts'
import { useProductWork } from '../queries.ts'
import { readProducts } from '../read-product-file.ts'
import { type ImportRow, ImportRows } from './import-rows.tsx'

const largestFile = 20 * 1024 * 1024

/** The counterpart of 导出: a file of products is looked at first, then each becomes a product with its model. */
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
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
    onClose()
  }

  return (
    <ImportFrame
      title="导入产品"
      width={640}
      open={open}
      onClose={onClose}
      afterClose={restart}
      read={rows && { all: rows.length, todo: todo.length }}
      refusal={refusal}
      running={running}
      option={{
        label: '沿用文件中的产品 ID',
        help: '已有设备按原 ID 接入时打开；关闭则由平台生成新的 ID',
        checked: keepIDs,
        onChange: setKeepIDs,
      }}
      file={{
        text: '选择或拖入从产品列表导出的 JSON 文件',
        help: '含产品信息和物模型；先检查，确认后才会创建。密钥、图片和设备不在文件中。',
        onFile: (file) => void take(file),
      }}
      onRestart={restart}
      onSubmit={() => void submit()}
    >
      <ImportRows
        rows={rows ?? []}
        disabled={running}
        onRename={(row, productName) => {
          const { outcome: _, ...rest } = row
          setRows((before) =>
            before?.map((one) => (one.key === row.key ? { ...rest, info: { ...row.info, productName } } : one)),
          )
        }}
      />
    </ImportFrame>
  )
}
