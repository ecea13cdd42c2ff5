import { businessTypeLabels } from '@ithings/contract/endpoint.ts'
import type { OperationLog } from '@ithings/contract/features/logs.ts'
import { t } from '@ithings/contract/text.ts'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { StatusTag, stateText } from '#kit/status-tag.tsx'
import { resultLook } from '../labels.ts'
import { Duration } from './duration.tsx'

export const operationLogColumns = (onShow: (log: OperationLog) => void): ListColumn<OperationLog>[] => [
  {
    key: 'userID',
    title: t('用户id'),
    dataIndex: 'userID',
    render: (_value, row) => <Copyable text={row.userID} />,
    hiddenAtFirst: true,
  },
  {
    key: 'operName',
    title: t('操作名称'),
    dataIndex: 'operName',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <button type="button" className="plain-button link" onClick={() => onShow(row)}>
        {row.operName}
      </button>
    ),
  },
  {
    key: 'businessType',
    title: t('业务类型'),
    sorter: true,
    phone: 'meta',
    render: (_value, row) => <BusinessTypeTag value={row.businessType} />,
    labels: businessTypeLabels,
  },
  { key: 'operUserName', title: t('操作人员'), dataIndex: 'operUserName', sorter: true, phone: 'meta' },
  {
    key: 'uri',
    title: t('请求地址'),
    dataIndex: 'uri',
    phone: 'subtitle',
    hiddenAtFirst: true,
    render: (_value, row) => <Copyable text={row.uri} maxWidth={240} />,
  },
  {
    key: 'operIpAddr',
    title: t('操作 IP'),
    dataIndex: 'operIpAddr',
    render: (_value, row) => <Copyable text={row.operIpAddr} />,
  },
  { key: 'operLocation', title: t('操作地点'), dataIndex: 'operLocation' },
  {
    key: 'code',
    title: t('操作状态'),
    sorter: true,
    phone: 'status',
    render: (_value, row) => <StatusTag {...resultLook(row.code)} />,
    exportText: (row) => stateText(resultLook(row.code).text),
  },
  { key: 'msg', title: t('提示信息'), dataIndex: 'msg', truncate: 200, hiddenAtFirst: true },
  {
    key: 'duration',
    title: t('耗时'),
    sorter: true,
    align: 'right',
    render: (_value, row) => <Duration ms={row.duration} />,
    exportText: (row) => `${row.duration} ms`,
  },
  { key: 'createdTime', title: t('操作时间'), sorter: true, phone: 'meta', time: 'exact' },
  { key: 'requestID', title: t('请求编号'), dataIndex: 'requestID', hiddenAtFirst: true },
]
