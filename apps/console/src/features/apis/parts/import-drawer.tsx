import { InboxOutlined } from '@ant-design/icons'
import type { Api } from '@ithings/contract/features/apis.ts'
import { Alert, App, Button, Drawer, Progress, Upload } from 'antd'
import { useState } from 'react'
import { usePhone } from '#kit/use-phone.ts'
import { compareImport, ImportState, type NewApi, readOpenApi } from '../openapi-import.ts'
import { canTake, ImportTable } from './import-table.tsx'
import { useImport } from './use-import.ts'

interface ImportDrawerProps {
  list: readonly Api[]
  open: boolean
  onClose: () => void
}

const largestDocument = 5 * 1024 * 1024

/** screens.md 15: an OpenAPI file is compared with the registry first, then the chosen rows are written. */
export function ImportDrawer({ list, open, onClose }: ImportDrawerProps) {
  const phone = usePhone()
  const { message } = App.useApp()
  const [found, setFound] = useState<NewApi[]>()
  const [refusal, setRefusal] = useState<string>()
  const [chosen, setChosen] = useState<string[]>([])
  const { run, progress, result, clear } = useImport()
  const rows = found ? compareImport(found, list) : []
  const wanted = rows.filter((row) => canTake(row) && chosen.includes(row.key))

  const take = async (file: File) => {
    if (file.size > largestDocument) return setRefusal(`文件不能超过 5 MB，「${file.name}」太大`)
    try {
      const apis = readOpenApi(await file.text())
      const added = compareImport(apis, list).filter((row) => row.state === ImportState.added)
      setFound(apis)
      setChosen(added.map((row) => row.key))
      setRefusal(undefined)
    } catch (error) {
      setRefusal(`「${file.name}」${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const restart = () => {
    setFound(undefined)
    setRefusal(undefined)
    setChosen([])
    clear()
  }
  const close = () => {
    if (progress) return
    restart()
    onClose()
  }
  const submit = async () => {
    const { saved, failures } = await run(wanted)
    if (failures.length > 0) return
    void message.success(`已导入 ${saved} 个接口`)
    restart()
    onClose()
  }

  return (
    <Drawer
      title="从 OpenAPI 导入接口"
      open={open}
      onClose={close}
      size={phone ? '100%' : 720}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        found && (
          <div className="form-buttons">
            <span className="form-footer-extra meta" role="status">
              {progress
                ? `正在导入 ${progress.done} / ${progress.total}`
                : `已选 ${wanted.length} / ${rows.length} 个接口`}
            </span>
            <Button onClick={restart} disabled={progress !== undefined}>
              重新选择文件
            </Button>
            <Button
              type="primary"
              loading={progress !== undefined}
              disabled={wanted.length === 0}
              onClick={() => void submit()}
            >
              导入
            </Button>
          </div>
        )
      }
    >
      {progress && (
        <Progress percent={Math.round((progress.done / progress.total) * 100)} showInfo={false} aria-label="导入进度" />
      )}
      {refusal && <Alert className="import-alert" type="error" showIcon title={refusal} />}
      {result && result.failures.length > 0 && (
        <Alert
          className="import-alert"
          type="error"
          showIcon
          title={`${result.saved} 个已导入，${result.failures.length} 个没有导入`}
          description={result.failures.map(({ row, reason }) => (
            <div key={row.key}>
              {row.api.name}：{reason}
            </div>
          ))}
        />
      )}
      {found ? (
        <ImportTable rows={rows} chosen={chosen} onChoose={setChosen} />
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
          <p>选择或拖入 OpenAPI 3 或 Swagger 2 的 JSON 文件</p>
          <p className="meta">先与已登记的接口对比，选好之后才会写入；业务类型按请求方式和路由推测。</p>
        </Upload.Dragger>
      )}
    </Drawer>
  )
}
