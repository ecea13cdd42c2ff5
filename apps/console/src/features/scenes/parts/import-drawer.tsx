import { InboxOutlined } from '@ant-design/icons'
import { Alert, App, Button, Drawer, Switch, Upload } from 'antd'
import { useId, useMemo, useState } from 'react'
import '#kit/form/form.css'
import { usePhone } from '#kit/use-phone.ts'
import { ImportRows } from './import-rows.tsx'
import { useImport } from './use-import.ts'
import { useImportNames } from './use-import-names.ts'

/** The counterpart of 导出: a file of scenes is checked and shown in sentences before anything is created. */
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const phone = usePhone()
  const id = useId()
  const { message } = App.useApp()
  const { rows, refusal, running, todo, take, rename, restart, submit } = useImport()
  const [asInFile, setAsInFile] = useState(false)
  const parts = useMemo(() => (rows ?? []).flatMap((row) => row.parts ?? []), [rows])
  const known = useImportNames(parts)

  const close = () => {
    if (!running) onClose()
  }
  const create = async () => {
    const count = todo.length
    if ((await submit(asInFile)) > 0) return
    void message.success(`已导入 ${count} 个场景`)
    onClose()
  }
  return (
    <Drawer
      title="导入场景"
      open={open}
      onClose={close}
      // What it shows stays while it slides away.
      afterOpenChange={(shown) => !shown && restart()}
      size={phone ? '100%' : 720}
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
            <Button type="primary" loading={running} disabled={todo.length === 0} onClick={() => void create()}>
              导入
            </Button>
          </div>
        )
      }
    >
      {refusal && <Alert className="scene-import-alert" type="error" showIcon title={refusal} />}
      {rows ? (
        <>
          <label className="scene-import-option" htmlFor={id}>
            <Switch id={id} checked={asInFile} disabled={running} onChange={setAsInFile} />
            <span>
              沿用文件中的启用状态
              <span className="meta">关闭则全部导入为停用，检查之后再逐个启用</span>
            </span>
          </label>
          <ImportRows rows={rows} disabled={running} onRename={rename} {...known} />
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
          <p className="scene-import-icon">
            <InboxOutlined />
          </p>
          <p>选择或拖入从场景列表导出的 JSON 文件</p>
          <p className="meta">
            先检查，确认后才会创建。产品、分组、通知渠道和被执行的场景按编号对应，关联告警不在文件中。
          </p>
        </Upload.Dragger>
      )}
    </Drawer>
  )
}
