import { InboxOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Progress, Switch, Upload } from 'antd'
import { type ReactNode, useId } from 'react'
import type { Opened } from '#kit/use-dialog.ts'
import { DialogFooter } from './form/dialog-footer.tsx'
import './import-drawer.css'
import { SideDrawer } from './side-drawer.tsx'

interface FileDropProps {
  /** What is taken, as the browser's file dialog wants it; JSON without. */
  accept?: string
  text: string
  help: ReactNode
  /** A second line of help. */
  note?: string
  onFile: (file: File) => void
}

/** Where a file is chosen or dropped. */
export function FileDrop({ accept = '.json,application/json', text, help, note, onFile }: FileDropProps) {
  return (
    <Upload.Dragger
      accept={accept}
      showUploadList={false}
      height={220}
      beforeUpload={(chosen) => {
        onFile(chosen)
        return false
      }}
    >
      <p className="bare link" style={{ fontSize: 36, lineHeight: '48px' }}>
        <InboxOutlined />
      </p>
      <p>{text}</p>
      <p className="meta">{help}</p>
      {note && <p className="meta">{note}</p>}
    </Upload.Dragger>
  )
}

interface ImportDrawerProps extends Opened {
  title: string
  width: number
  /** It has slid away: what it showed may go. */
  afterClose: () => void
  /** What was read out of the file; undefined: none is chosen yet. */
  read: { all: number; todo: number } | undefined
  /** How far it is in words; without: how many rows can be imported. */
  status?: string
  /** 0 to 1 of the rows that are being made. */
  progress?: number | undefined
  /** Why the file was not taken. */
  refusal: string | undefined
  running: boolean
  option?: { label: string; help: string; checked: boolean; onChange: (on: boolean) => void }
  file: FileDropProps
  onRestart: () => void
  onSubmit: () => void
  /** The rows of the file. */
  children: ReactNode
}

/** The counterpart of an export: a file is looked at first, then each row of it is made. */
export function ImportDrawer(props: ImportDrawerProps) {
  const { read, running, option, progress } = props
  const id = useId()
  return (
    <SideDrawer
      title={props.title}
      width={props.width}
      open={props.open}
      onClose={props.onClose}
      busy={running}
      afterOpenChange={(shown) => !shown && props.afterClose()}
      footer={
        read && (
          <DialogFooter
            left={
              <span className="meta" role="status">
                {props.status ?? t('{todo} / {all} 个可导入', { todo: read.todo, all: read.all })}
              </span>
            }
          >
            <Button onClick={props.onRestart} disabled={running}>
              {t('重新选择文件')}
            </Button>
            <Button type="primary" loading={running} disabled={read.todo === 0} onClick={props.onSubmit}>
              {t('导入')}
            </Button>
          </DialogFooter>
        )
      }
    >
      {progress !== undefined && (
        <Progress percent={Math.round(progress * 100)} showInfo={false} aria-label={t('导入进度')} />
      )}
      {props.refusal && <Alert className="below-12" type="error" showIcon title={props.refusal} />}
      {read && option && (
        <label className="import-file-option below-12 flex top gap-12" htmlFor={id}>
          <Switch id={id} checked={option.checked} disabled={running} onChange={option.onChange} />
          <span>
            {option.label}
            <span className="meta">{option.help}</span>
          </span>
        </label>
      )}
      {read ? props.children : <FileDrop {...props.file} />}
    </SideDrawer>
  )
}
