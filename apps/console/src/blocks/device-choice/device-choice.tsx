/** Many devices of one product: ticked in a table, pasted, or out of a CSV file (screens.md 7.1). */
import { CopyOutlined, UploadOutlined } from '@ant-design/icons'
import { Alert, App, Button, Input, Modal, Segmented, Upload } from 'antd'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { ChosenDevices } from './chosen-devices.tsx'
import './device-choice.css'
import { addNames, decodeFile, type ReadNames, readCsvNames, readPasted, withoutNames } from './device-names.ts'
import { DeviceRows, type ExtraDeviceColumn } from './device-rows.tsx'
import { type DeviceRowsFilter, readDeviceNames } from './device-rows-query.ts'

interface PasteNamesProps {
  open: boolean
  onClose: () => void
  onNames: (names: string[]) => void
}

const listed = 5
const badText = ({ bad }: ReadNames): string =>
  `${bad.length.toLocaleString()} 个不是设备名称（1 到 48 位字母、数字或 _ - . : @）：${bad.slice(0, listed).join('、')}${bad.length > listed ? ' 等' : ''}`

function PasteNames({ open, onClose, onNames }: PasteNamesProps) {
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

export interface DeviceChoiceProps {
  productID: string
  /** Names of devices. */
  value?: readonly string[]
  onChange?: (names: string[]) => void
  max: number
  extra?: ExtraDeviceColumn
  /** Chosen names that the server's preview did not find: shown first, removed with one click. */
  unknown?: readonly string[]
}

const maxFileBytes = 2 * 1024 * 1024

function useChoice({ value = [], onChange, max }: Pick<DeviceChoiceProps, 'value' | 'onChange' | 'max'>) {
  const { message, modal } = App.useApp()
  const add = (more: readonly string[], from?: string) => {
    const { names, left } = addNames(value, more, max)
    onChange?.(names)
    if (left > 0) void message.warning(`最多选择 ${max.toLocaleString()} 台，有 ${left.toLocaleString()} 台没有加入`)
    else if (from) void message.success(`${from}加入 ${(names.length - value.length).toLocaleString()} 台`)
  }
  return {
    add,
    toggle: (names: string[], on: boolean) => (on ? add(names) : onChange?.(withoutNames(value, names))),
    remove: (names: readonly string[]) => onChange?.(withoutNames(value, names)),
    addAll: async (filter: DeviceRowsFilter) => {
      try {
        add(await readDeviceNames(filter, max), '已')
      } catch (error) {
        void message.error(`读取设备失败：${describeError(error).reason}`)
      }
    },
    addFile: async (file: File) => {
      const refuse = (content: string) => modal.error({ title: `不能读取「${file.name}」`, content })
      if (file.size > maxFileBytes) return void refuse('文件不能超过 2 MB')
      const read = readCsvNames(decodeFile(await file.arrayBuffer()))
      if (read.names.length === 0) return void refuse('文件里没有设备名称：首列或标题为「设备名称」的列应是名称')
      add(read.names, '已从文件')
      if (read.bad.length > 0) modal.warning({ title: '有些行没有加入', content: badText(read) })
    },
  }
}

export function DeviceChoice({ productID, value = [], onChange, max, extra, unknown = [] }: DeviceChoiceProps) {
  const phone = usePhone()
  const choice = useChoice({ value, max, ...(onChange && { onChange }) })
  const [pasting, setPasting] = useState(false)
  const [all, setAll] = useState(false)
  const [side, setSide] = useState<'all' | 'chosen'>('all')
  const takeAll = async (filter: DeviceRowsFilter) => {
    setAll(true)
    await choice.addAll(filter)
    setAll(false)
  }
  const rows = (
    <DeviceRows
      // What was searched for in another product is of no use here.
      key={productID}
      within={{ productID }}
      title="可选设备"
      selection={{ chosen: value, toggle: choice.toggle }}
      extra={extra}
      actions={(filter, total) => (
        <Button type="link" size="small" loading={all} onClick={() => void takeAll(filter)}>
          全选 {Math.min(total, max).toLocaleString()} 台
        </Button>
      )}
    />
  )
  const chosen = <ChosenDevices names={value} max={max} unknown={unknown} onRemove={choice.remove} />
  return (
    <div className="column gap-12">
      <div className="choice-tools row wrap gap-8">
        {phone && (
          <Segmented
            aria-label="显示"
            value={side}
            options={[
              { value: 'all', label: '可选' },
              { value: 'chosen', label: `已选 ${value.length.toLocaleString()}` },
            ]}
            onChange={setSide}
          />
        )}
        <Button icon={<CopyOutlined />} onClick={() => setPasting(true)}>
          粘贴名称
        </Button>
        <Upload
          accept=".csv,.txt,text/csv,text/plain"
          showUploadList={false}
          beforeUpload={(file) => {
            void choice.addFile(file)
            return false
          }}
        >
          <Button icon={<UploadOutlined />}>上传 CSV</Button>
        </Upload>
        {!phone && <span className="meta">CSV 取「设备名称」列，没有标题时取第一列</span>}
      </div>
      {phone ? (
        side === 'all' ? (
          rows
        ) : (
          chosen
        )
      ) : (
        <div className="choice-sides">
          {rows}
          {chosen}
        </div>
      )}
      <PasteNames open={pasting} onClose={() => setPasting(false)} onNames={(names) => choice.add(names, '已')} />
    </div>
  )
}
