import { PlusOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { Group } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button } from 'antd'
import { useSearchParams } from 'react-router'
import { tagsOf } from '#blocks/tags.tsx'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { devicesQuery, useAddDevices } from '../queries.ts'
import { type MemberFilters, memberColumns, memberFields, memberKey } from './member-columns.tsx'

const prefix = 'a.'

/** Devices that are not in the group, chosen across pages. */
export function AddDevicesDrawer({ group, open, onClose }: { group: Group; open: boolean; onClose: () => void }) {
  const phone = usePhone()
  const { message } = App.useApp()
  const add = useAddDevices()
  const [, setParams] = useSearchParams()
  const { groupID, groupName } = group

  const close = () => {
    if (add.isPending) return
    add.reset()
    // What was searched for here does not stay in the page's address.
    setParams((before) => new URLSearchParams([...before].filter(([name]) => !name.startsWith(prefix))), {
      replace: true,
    })
    onClose()
  }
  const submit = (devices: readonly Device[], clear: () => void) =>
    add.mutate(
      { groupID, list: devices },
      {
        onSuccess: () => {
          void message.success(t('已加入 {count} 台设备', { count: devices.length }))
          clear()
          close()
        },
      },
    )
  return (
    <SideDrawer title={t('添加设备到「{name}」', { name: groupName })} open={open} onClose={close} width={1000}>
      {add.isError && <Alert type="error" showIcon title={describeError(add.error).reason} />}
      <ListPage<Device, MemberFilters>
        embedded
        title={t('可添加的设备')}
        urlPrefix={prefix}
        filters={memberFields}
        columns={memberColumns(phone)}
        rowKey={memberKey}
        storageKey="group-candidates"
        query={({ page, filters: { tags, ...rest } }) =>
          devicesQuery({ ...rest, ...tagsOf(tags), page, notInGroupID: groupID })
        }
        toolbar={<span className="meta">{t('勾选设备，可以跨页选择；已在本组的设备不列出')}</span>}
        selection={{
          unit: t('台'),
          actions: (devices, clear) => (
            <Button
              type="primary"
              icon={<PlusOutlined />}
              loading={add.isPending}
              onClick={() => submit(devices, clear)}
            >
              {t('加入分组')}
            </Button>
          ),
        }}
        empty={{ title: t('没有可添加的设备'), text: t('所有设备都已在这个分组里，或者还没有设备。') }}
      />
    </SideDrawer>
  )
}
