import { SearchOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Input, Table, type TableProps } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { deviceKeyOf, deviceListPath } from '../../labels.ts'
import { bindCandidatesQuery, useBindSubDevices } from '../../queries.ts'
import './bind-drawer.css'

const pageSize = 10
/** One request of the platform takes no more. */
const maxBound = 1000

const columnsOf = (phone: boolean): TableProps<Device>['columns'] => [
  {
    key: 'deviceName',
    title: '设备',
    render: (_value, device) => (
      <>
        <div className="mono">{device.deviceName}</div>
        {device.deviceAlias && <div className="meta">{device.deviceAlias}</div>}
        {phone && <div className="meta">{device.productName}</div>}
      </>
    ),
  },
  ...(phone ? [] : [{ key: 'productName', title: '所属产品', dataIndex: 'productName' }]),
  { key: 'status', title: '状态', width: 96, render: (_value, device) => <DeviceStatusTag device={device} /> },
]

interface BindDrawerProps {
  gateway: Device
  open: boolean
  onClose: () => void
}

/** screens.md 6.10: only sub-devices that no gateway has; what is chosen stays over pages, products and searches. */
export function BindDrawer({ gateway, open, onClose }: BindDrawerProps) {
  const phone = usePhone()
  const { message } = App.useApp()
  const [filter, setFilter] = useState<{ productID?: string | undefined; deviceName: string; page: number }>({
    deviceName: '',
    page: 1,
  })
  const [chosen, setChosen] = useState<Device[]>([])
  const bind = useBindSubDevices()
  const { productID, deviceName, page } = filter
  const candidates = useQuery({
    ...bindCandidatesQuery({ productID, deviceName, page: { page, size: pageSize } }),
    placeholderData: keepPreviousData,
  })
  const save = () =>
    bind.mutate(
      { gateway, list: chosen },
      {
        onSuccess: () => {
          void message.success(`已绑定 ${chosen.length} 台子设备`)
          onClose()
        },
      },
    )
  const filtered = productID !== undefined || deviceName !== ''
  const tooMany = chosen.length > maxBound
  const empty = filtered ? (
    <StateBlock compact variant="no-match" title="没有符合条件的子设备" text="换一个产品或名称试试。" />
  ) : (
    <StateBlock
      compact
      variant="no-match"
      title="没有可绑定的子设备"
      text={
        <>
          子设备都已绑定，或还没有创建。到 <Link to={deviceListPath}>设备列表</Link> 新增类型为子设备的设备。
        </>
      }
    />
  )
  return (
    <Drawer
      title="绑定子设备"
      open={open}
      onClose={onClose}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : 720}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      destroyOnHidden
      closable={{ placement: 'end' }}
      footer={
        <div className="bind-footer row wrap gap-8">
          <span>
            已选 <b>{chosen.length}</b> 台{tooMany && `，一次最多 ${maxBound} 台`}
            {chosen.length > 0 && (
              <Button type="link" size="small" disabled={bind.isPending} onClick={() => setChosen([])}>
                清空
              </Button>
            )}
          </span>
          <Button disabled={bind.isPending} onClick={onClose}>
            取消
          </Button>
          <Button type="primary" loading={bind.isPending} disabled={chosen.length === 0 || tooMany} onClick={save}>
            绑定
          </Button>
        </div>
      }
    >
      <div className="bind-filters flex wrap gap-8">
        <ProductPicker
          aria-label="所属产品"
          deviceType={DeviceType.subDevice}
          placeholder="全部子设备产品"
          allowClear
          value={productID}
          onChange={(picked) => setFilter({ ...filter, productID: picked, page: 1 })}
        />
        <Input
          aria-label="设备名称"
          placeholder="按设备名称查找，回车查询"
          prefix={<SearchOutlined />}
          allowClear
          onPressEnter={(event) => setFilter({ ...filter, deviceName: event.currentTarget.value.trim(), page: 1 })}
          onClear={() => setFilter({ ...filter, deviceName: '', page: 1 })}
        />
      </div>
      {bind.isError && (
        <Alert className="bind-failure" type="error" showIcon title={`未绑定：${describeError(bind.error).reason}`} />
      )}
      {candidates.isError && !candidates.data ? (
        <ErrorState
          compact
          subject="可绑定的子设备"
          error={candidates.error}
          retrying={candidates.isFetching}
          onRetry={() => void candidates.refetch()}
        />
      ) : (
        <Table<Device>
          aria-label="可绑定的子设备"
          size="small"
          rowKey={deviceKeyOf}
          columns={columnsOf(phone)}
          dataSource={candidates.data?.list ?? []}
          loading={candidates.isPending}
          locale={{ emptyText: candidates.isPending ? ' ' : empty }}
          rowSelection={{
            preserveSelectedRowKeys: true,
            selectedRowKeys: chosen.map(deviceKeyOf),
            onChange: (_keys, rows) => setChosen(rows),
            getCheckboxProps: (device) => ({ 'aria-label': `选择 ${device.deviceName}` }),
          }}
          pagination={{
            current: page,
            pageSize,
            total: candidates.data?.total ?? 0,
            showSizeChanger: false,
            simple: phone,
            showTotal: (total) => `共 ${total.toLocaleString()} 台`,
            onChange: (next) => setFilter({ ...filter, page: next }),
          }}
        />
      )}
    </Drawer>
  )
}
