/** Many devices of one product: ticked in a table, pasted, or out of a CSV file (screens.md 7.1). */

import { CopyOutlined, UploadOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, Input, Modal, Segmented, Upload } from 'antd'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { ChosenDevices } from './chosen-devices.tsx'
import './device-choice.css'
import { addNames, decodeFile, type ReadNames, readCsvNames, readPasted, withoutNames } from './device-names.ts'
import { DeviceRows, type ExtraDeviceColumn } from './device-rows.tsx'
import { type DeviceRowsFilter, readDeviceNames } from './device-rows-query.ts'

/** Said when devices have joined the choice. */
const joined = '已加入 {count, number} 台'
const joinedFromFile = '已从文件加入 {count, number} 台'

const listed = 5
const badText = ({ bad }: ReadNames): string =>
  t(
    bad.length > listed
      ? '{count, number} 个不是设备名称（1 到 48 位字母、数字或 _ - . : @）：{names} 等'
      : '{count, number} 个不是设备名称（1 到 48 位字母、数字或 _ - . : @）：{names}',
    { count: bad.length, names: bad.slice(0, listed).join(t('、')) },
  )

function PasteNames({ open, onClose, onNames }: Opened & { onNames: (names: string[]) => void }) {
  const [text, setText] = useState('')
  const read = readPasted(text)
  return (
    <Modal
      title={t('粘贴设备名称')}
      open={open}
      onCancel={onClose}
      okText={read.names.length > 0 ? t('加入 {count, number} 台', { count: read.names.length }) : t('加入')}
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
        aria-label={t('设备名称')}
        rows={8}
        autoFocus
        spellCheck={false}
        value={text}
        placeholder={t('每行一个，或以空格、逗号、分号隔开\nMH3-P01\nMH3-P02')}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="meta" role="status">
        {t('识别到 {count, number} 个名称', { count: read.names.length })}
        {read.repeated > 0 && t('，重复 {count, number} 个已合并', { count: read.repeated })}
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
  const add = (more: readonly string[], words?: string) => {
    const { names, left } = addNames(value, more, max)
    onChange?.(names)
    if (left > 0) void message.warning(t('最多选择 {max, number} 台，有 {left, number} 台没有加入', { max, left }))
    else if (words) void message.success(t(words, { count: names.length - value.length }))
  }
  return {
    add,
    toggle: (names: string[], on: boolean) => (on ? add(names) : onChange?.(withoutNames(value, names))),
    remove: (names: readonly string[]) => onChange?.(withoutNames(value, names)),
    addAll: async (filter: DeviceRowsFilter) => {
      try {
        add(await readDeviceNames(filter, max), joined)
      } catch (error) {
        void message.error(t('读取设备失败：{reason}', { reason: describeError(error).reason }))
      }
    },
    addFile: async (file: File) => {
      const refuse = (content: string) => modal.error({ title: t('不能读取「{name}」', { name: file.name }), content })
      if (file.size > maxFileBytes) return void refuse(t('文件不能超过 2 MB'))
      const read = readCsvNames(decodeFile(await file.arrayBuffer()))
      if (read.names.length === 0) return void refuse(t('文件里没有设备名称：首列或标题为「设备名称」的列应是名称'))
      add(read.names, joinedFromFile)
      if (read.bad.length > 0) modal.warning({ title: t('有些行没有加入'), content: badText(read) })
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
      title={t('可选设备')}
      selection={{ chosen: value, toggle: choice.toggle }}
      extra={extra}
      actions={(filter, total) => (
        <Button type="link" size="small" loading={all} onClick={() => void takeAll(filter)}>
          {t('全选 {count, number} 台', { count: Math.min(total, max) })}
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
            aria-label={t('显示')}
            value={side}
            options={[
              { value: 'all', label: t('可选', { context: 'many' }) },
              { value: 'chosen', label: t('已选 {count, number}', { count: value.length }) },
            ]}
            onChange={setSide}
          />
        )}
        <Button icon={<CopyOutlined />} onClick={() => setPasting(true)}>
          {t('粘贴名称')}
        </Button>
        <Upload
          accept=".csv,.txt,text/csv,text/plain"
          showUploadList={false}
          beforeUpload={(file) => {
            void choice.addFile(file)
            return false
          }}
        >
          <Button icon={<UploadOutlined />}>{t('上传 CSV')}</Button>
        </Upload>
        {!phone && <span className="meta">{t('CSV 取「设备名称」列，没有标题时取第一列')}</span>}
      </div>
      {phone ? (
        side === 'all' ? (
          rows
        ) : (
          chosen
        )
      ) : (
        <div className="gap-16 grid" style={{ gridTemplateColumns: 'minmax(0, 1fr) 264px' }}>
          {rows}
          {chosen}
        </div>
      )}
      <PasteNames open={pasting} onClose={() => setPasting(false)} onNames={(names) => choice.add(names, joined)} />
    </div>
  )
}
