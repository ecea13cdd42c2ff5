import { InboxOutlined } from '@ant-design/icons'
import { Alert, Button, Drawer, Switch, Upload } from 'antd'
import { type ReactNode, useId } from 'react'
import './form/form.css'
import './import-drawer.css'
import { usePhone } from './use-phone.ts'

interface ImportDrawerProps {
  title: string
  width: number
  open: boolean
  onClose: () => void
  /** It has slid away: what it showed may go. */
  afterClose: () => void
  /** What was read out of the file; undefined: none is chosen yet. */
  read: { all: number; todo: number } | undefined
  /** Why the file was not taken. */
  refusal: string | undefined
  running: boolean
  option: { label: string; help: string; checked: boolean; onChange: (on: boolean) => void }
  file: { text: string; help: string; onFile: (file: File) => void }
  onRestart: () => void
  onSubmit: () => void
  /** The rows of the file. */
  children: ReactNode
}

/** The counterpart of an export as JSON: a file is looked at first, then each row of it is made. */
export function ImportDrawer(props: ImportDrawerProps) {
  const { read, running, option, file } = props
  const phone = usePhone()
  const id = useId()
  return (
    <Drawer
      title={props.title}
      open={props.open}
      onClose={() => !running && props.onClose()}
      afterOpenChange={(shown) => !shown && props.afterClose()}
      size={phone ? '100%' : props.width}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        read && (
          <div className="form-buttons">
            <span className="form-footer-extra meta" role="status">
              {read.todo} / {read.all} 个可导入
            </span>
            <Button onClick={props.onRestart} disabled={running}>
              重新选择文件
            </Button>
            <Button type="primary" loading={running} disabled={read.todo === 0} onClick={props.onSubmit}>
              导入
            </Button>
          </div>
        )
      }
    >
      {props.refusal && <Alert className="import-file-alert" type="error" showIcon title={props.refusal} />}
      {read ? (
        <>
          <label className="import-file-option flex top gap-12" htmlFor={id}>
            <Switch id={id} checked={option.checked} disabled={running} onChange={option.onChange} />
            <span>
              {option.label}
              <span className="meta">{option.help}</span>
            </span>
          </label>
          {props.children}
        </>
      ) : (
        <Upload.Dragger
          accept=".json,application/json"
          showUploadList={false}
          height={220}
          beforeUpload={(chosen) => {
            file.onFile(chosen)
            return false
          }}
        >
          <p className="import-file-icon">
            <InboxOutlined />
          </p>
          <p>{file.text}</p>
          <p className="meta">{file.help}</p>
        </Upload.Dragger>
      )}
    </Drawer>
  )
}
