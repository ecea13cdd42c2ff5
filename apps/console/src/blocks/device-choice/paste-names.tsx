import { Alert, Input, Modal } from 'antd'
import { useState } from 'react'
import { type ReadNames, readPasted } from './device-names.ts'

interface PasteNamesProps {
  open: boolean
  onClose: () => void
  onNames: (names: string[]) => void
}

const listed = 5
export const badText = ({ bad }: ReadNames): string =>
  `${bad.length.toLocaleString()} 个不是设备名称（1 到 48 位字母、数字或 _ - . : @）：${bad.slice(0, listed).join('、')}${bad.length > listed ? ' 等' : ''}`

export function PasteNames({ open, onClose, onNames }: PasteNamesProps) {
  const [text, setText] = useState('')
  const read = readPasted(text)
  return (
    <Modal
      title="粘贴设备名称"
      open={open}
      onCancel={onClose}
      okText={read.names.length > 0 ? `加入 ${read.names.length.toLocaleString()} 台` : '加入'}
      okButtonProps={{ disabled: read.names.length === 0 }}
      onOk={() => {
        onNames(read.names)
        setText('')
        onClose()
      }}
      destroyOnHidden
    >
      <Input.TextArea
        className="mono"
        aria-label="设备名称"
        rows={8}
        autoFocus
        spellCheck={false}
        value={text}
        placeholder={'每行一个，或以空格、逗号、分号隔开\nMH3-P01\nMH3-P02'}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="meta" role="status">
        识别到 {read.names.length.toLocaleString()} 个名称
        {read.repeated > 0 && `，重复 ${read.repeated.toLocaleString()} 个已合并`}
      </p>
      {read.bad.length > 0 && <Alert type="warning" showIcon title={badText(read)} />}
    </Modal>
  )
}
