import { SearchOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Input, Table, type TableProps } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { deviceKeyOf } from '#blocks/device/labels.ts'
import { bindCandidatesQuery, useBindSubDevices } from '#blocks/device/queries.ts'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import { paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { usePhone } from '#kit/use-phone.ts'

const pageSize = 10
/** One request of the platform takes no more. */
const maxBound = 1000

const columnsOf = (phone: boolean): TableProps<Device>['columns'] => [
  {
    key: 'deviceName',
    title: t('设备'),
    render: (_value, device) => (
      <>
        <div className="mono">{device.deviceName}</div>
        {device.deviceAlias && <div className="meta">{device.deviceAlias}</div>}
        {phone && <div className="meta">{device.productName}</div>}
      </>
    ),
  },
  ...(phone ? [] : [{ key: 'productName', title: t('所属产品'), dataIndex: 'productName' }]),
  { key: 'status', title: t('状态'), width: 96, render: (_value, device) => <DeviceStatusTag device={device} /> },
]

interface Filter {
  productID: string | undefined
  deviceName: string
  page: number
}

/** Sub-devices that no gateway has, by product and name. */
function Candidates({ chosen, onChoose }: { chosen: Device[]; onChoose: (devices: Device[]) => void }) {
  const phone = usePhone()
  const [filter, setFilter] = useState<Filter>({ productID: undefined, deviceName: '', page: 1 })
  const { page, ...wanted } = filter
  const search = (change: Partial<Filter>) => setFilter({ ...filter, page: 1, ...change })
  const query = useQuery({
    ...bindCandidatesQuery({ ...wanted, page: { page, size: pageSize } }),
    placeholderData: keepPreviousData,
  })
  const { data, error, isPending } = query
  const filtered = wanted.productID !== undefined || wanted.deviceName !== ''
  const none = filtered ? (
    t('换一个产品或名称试试。')
  ) : (
    <RichText
      text={t('子设备都已绑定，或还没有创建。到 <0>设备列表</0> 新增类型为子设备的设备。')}
      parts={[<Link key="devices" to={paths.devices} />]}
    />
  )
  const title = filtered ? t('没有符合条件的子设备') : t('没有可绑定的子设备')
  return (
    <>
      <div className="bind-filters flex wrap gap-8 below-12">
        <ProductPicker
          aria-label={t('所属产品')}
          deviceType={DeviceType.subDevice}
          placeholder={t('全部子设备产品')}
          allowClear
          value={wanted.productID}
          onChange={(productID) => search({ productID })}
        />
        <Input
          aria-label={t('设备名称')}
          placeholder={t('按设备名称查找，回车查询')}
          prefix={<SearchOutlined />}
          allowClear
          onPressEnter={(event) => search({ deviceName: event.currentTarget.value.trim() })}
          onClear={() => search({ deviceName: '' })}
        />
      </div>
      {error && !data ? (
        <QueryError compact subject={t('可绑定的子设备')} query={query} />
      ) : (
        <Table<Device>
          aria-label={t('可绑定的子设备')}
          size="small"
          rowKey={deviceKeyOf}
          columns={columnsOf(phone)}
          dataSource={data?.list ?? []}
          loading={isPending}
          locale={{ emptyText: isPending ? ' ' : <StateBlock compact variant="no-match" title={title} text={none} /> }}
          rowSelection={{
            preserveSelectedRowKeys: true,
            selectedRowKeys: chosen.map(deviceKeyOf),
            onChange: (_keys, rows) => onChoose(rows),
            getCheckboxProps: (device) => ({ 'aria-label': t('选择 {name}', { name: device.deviceName }) }),
          }}
          pagination={{
            current: page,
            pageSize,
            total: data?.total ?? 0,
            showSizeChanger: false,
            simple: phone,
            showTotal: (total) => t('共 {count, number} 台', { count: total }),
            onChange: (next) => search({ page: next }),
          }}
        />
      )}
    </>
  )
}

/** screens.md 6.10: what is chosen stays over pages, products and searches. */
export function BindDrawer({ gateway, open, onClose }: { gateway: Device; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const [chosen, setChosen] = useState<Device[]>([])
  const { mutate, isPending, error } = useBindSubDevices()
  const tooMany = chosen.length > maxBound
  const bound = () => {
    void message.success(t('已绑定 {count} 台子设备', { count: chosen.length }))
    onClose()
  }
  return (
    <SideDrawer
      title={t('绑定子设备')}
      open={open}
      onClose={onClose}
      afterOpenChange={focusFirstField}
      width={720}
      footer={
        <div className="row wrap gap-8">
          <span>
            <RichText
              text={t(tooMany ? '已选 <0>{count}</0> 台，一次最多 {max} 台' : '已选 <0>{count}</0> 台', {
                count: chosen.length,
                max: maxBound,
              })}
              parts={[<b key="count" />]}
            />
            {chosen.length > 0 && (
              <Button type="link" size="small" disabled={isPending} onClick={() => setChosen([])}>
                {t('清空')}
              </Button>
            )}
          </span>
          <Button className="to-end touch" disabled={isPending} onClick={onClose}>
            {t('取消')}
          </Button>
          <Button
            className="touch"
            type="primary"
            loading={isPending}
            disabled={chosen.length === 0 || tooMany}
            onClick={() => mutate({ gateway, list: chosen }, { onSuccess: bound })}
          >
            {t('绑定')}
          </Button>
        </div>
      }
    >
      {error && (
        <Alert
          className="below-12"
          type="error"
          showIcon
          title={t('未绑定：{reason}', { reason: describeError(error).reason })}
        />
      )}
      <Candidates chosen={chosen} onChoose={setChosen} />
    </SideDrawer>
  )
}
