import { DisconnectOutlined, LinkOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices, unbindSubDevices } from '@ithings/contract/features/gateways.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Button } from 'antd'
import { useNavigate } from 'react-router'
import { nameColumns, timeColumn } from '#blocks/device/device-columns.tsx'
import { deviceKeyOf, deviceTitle } from '#blocks/device/labels.ts'
import { subDevicesQuery, useUnbindSubDevices } from '#blocks/device/queries.ts'
import { DeviceLink, ProductLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { ActButton } from '#kit/rights.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { BindDrawer } from './bind-drawer.tsx'

const filters: FilterField[] = [{ name: 'deviceName', label: '设备名称', control: 'text' }]
const namesShown = 5

const columnsOf = (phone: boolean): ListColumn<Device>[] => [
  ...nameColumns({ title: t('子设备'), phone, nameCell: (device) => <DeviceLink device={device} /> }),
  {
    key: 'productName',
    title: t('所属产品'),
    phone: 'meta',
    render: (_value, device) => <ProductLink of={device} />,
  },
  {
    key: 'productID',
    title: t('产品 ID'),
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, device) => <Copyable text={device.productID} />,
  },
  {
    key: 'isOnline',
    title: t('在线状态'),
    sorter: true,
    phone: 'status',
    render: (_value, device) => <DeviceStatusTag device={device} />,
  },
  timeColumn('createdTime', true),
  timeColumn('firstLogin'),
  timeColumn('lastLogin'),
]

function useUnbind(gateway: Device) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const unbind = useUnbindSubDevices()
  return (list: readonly Device[], done?: () => void) => {
    const names = list.slice(0, namesShown).map(deviceTitle).join(t('」、「'))
    const told = { names, gateway: deviceTitle(gateway) }
    confirm({
      title:
        list.length === 1
          ? t('解绑子设备「{name}」？', { name: names })
          : t('解绑 {count} 台子设备？', { count: list.length }),
      content:
        list.length === 1
          ? t('解绑后不能再通过网关「{gateway}」收发消息，设备和数据都保留，可以重新绑定。', told)
          : list.length > namesShown
            ? t('「{names}」 等。解绑后不能再通过网关「{gateway}」收发消息，设备和数据都保留，可以重新绑定。', told)
            : t('「{names}」。解绑后不能再通过网关「{gateway}」收发消息，设备和数据都保留，可以重新绑定。', told),
      danger: true,
      okText: t('解绑'),
      onOk: async () => {
        await unbind.mutateAsync({ gateway, list })
        void message.success(t('解绑成功'))
        done?.()
      },
    })
  }
}

/** screens.md 6.10: the devices behind a gateway. */
export function SubDevicesTab({ gateway }: { gateway: Device }) {
  const phone = usePhone()
  const navigate = useNavigate()
  const unbind = useUnbind(gateway)
  const { session, open, show, close } = useDialog()
  const { productID: gateWayProductID, deviceName: gateWaydeviceName } = gateway
  const bindButton = (type: 'primary' | 'default') => (
    <ActButton needs={bindSubDevices} type={type} icon={<LinkOutlined />} onClick={() => show(undefined)}>
      {t('绑定子设备')}
    </ActButton>
  )
  return (
    <>
      <ListPage<Device, { deviceName?: string }>
        embedded
        title={t('子设备')}
        exportName={t('子设备')}
        storageKey="sub-devices"
        rowKey={deviceKeyOf}
        columns={columnsOf(phone)}
        filters={filters}
        query={({ page, filters: { deviceName } }) =>
          subDevicesQuery({ gateWayProductID, gateWaydeviceName, page, deviceName })
        }
        toolbar={bindButton('primary')}
        selection={{
          unit: t('台'),
          needs: [unbindSubDevices],
          actions: (rows, clear) => (
            <Button type="text" icon={<DisconnectOutlined />} onClick={() => unbind(rows, clear)}>
              {t('解绑')}
            </Button>
          ),
        }}
        rowActions={(row) => [
          { key: 'read', label: t('查看'), onClick: () => void navigate(deviceDetailPath(row)) },
          { key: 'unbind', label: t('解绑'), needs: unbindSubDevices, danger: true, onClick: () => unbind([row]) },
        ]}
        empty={{
          title: t('还没有子设备'),
          text: t('绑定后，子设备的消息由这个网关代为收发。'),
          action: bindButton('default'),
        }}
      />
      {session > 0 && <BindDrawer key={session} gateway={gateway} open={open} onClose={close} />}
    </>
  )
}
