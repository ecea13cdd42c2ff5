/** Connection parameters of a device and programs that use them (device-protocol.md 2). Pure. */

import { clientIDOf, sdkAppID } from '@ithings/contract/device/credentials.ts'
import { t } from '@ithings/contract/text.ts'

export interface Connection {
  /** Host name of the broker, without port. */
  host: string
  port: number
  productID: string
  deviceName: string
  /** An example of a report, as JSON text on one line. */
  payload: string
  /** Absent: words stand in its place. */
  secret?: string
}

const secretOf = ({ secret = t('设备密钥') }: Connection): string => secret

export const userNameForm = (clientID: string): string => `${clientID};${sdkAppID};{connid};{expiry}`

export const topicOf = ({ productID, deviceName }: Pick<Connection, 'productID' | 'deviceName'>): string =>
  `$thing/up/property/${productID}/${deviceName}`

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const mosquitto = (at: Connection): string => `# ${t('需要 mosquitto-clients、openssl、xxd')}
DEVICE_SECRET='${secretOf(at)}'
CLIENT_ID='${clientIDOf(at)}'
USERNAME="$CLIENT_ID;${sdkAppID};A1B2C;$(( $(date +%s) + 86400 ))"
KEY=$(printf %s "$DEVICE_SECRET" | openssl base64 -d -A | xxd -p -c 256)
TOKEN=$(printf %s "$USERNAME" | openssl dgst -sha256 -mac HMAC -macopt hexkey:"$KEY" | awk '{print $NF}')

mosquitto_pub -h ${at.host} -p ${at.port} -q 1 \\
  -i "$CLIENT_ID" -u "$USERNAME" -P "$TOKEN;hmacsha256" \\
  -t '${topicOf(at)}' \\
  -m ${shellQuoted(at.payload)}
`

const node = (at: Connection): string => `// npm install mqtt
import { createHmac } from 'node:crypto'
import mqtt from 'mqtt'

const deviceSecret = '${secretOf(at)}'
const clientId = '${clientIDOf(at)}'
const expiry = Math.floor(Date.now() / 1000) + 86400
const username = \`\${clientId};${sdkAppID};A1B2C;\${expiry}\`
const token = createHmac('sha256', Buffer.from(deviceSecret, 'base64')).update(username).digest('hex')
const password = \`\${token};hmacsha256\`

const client = mqtt.connect('mqtt://${at.host}:${at.port}', { clientId, username, password })
client.on('message', (topic, payload) => console.log(topic, payload.toString()))
client.on('connect', async () => {
  await client.subscribeAsync('${topicOf(at).replace('/up/', '/down/')}', { qos: 1 })
  await client.publishAsync('${topicOf(at)}', ${JSON.stringify(at.payload)}, { qos: 1 })
})
`

const python = (at: Connection): string => `# pip install "paho-mqtt>=2"
import base64, hashlib, hmac, time
import paho.mqtt.client as mqtt

device_secret = "${secretOf(at)}"
client_id = "${clientIDOf(at)}"
username = f"{client_id};${sdkAppID};A1B2C;{int(time.time()) + 86400}"
token = hmac.new(base64.b64decode(device_secret), username.encode(), hashlib.sha256).hexdigest()
password = f"{token};hmacsha256"

def on_connect(client, userdata, flags, reason, properties):
    client.subscribe("${topicOf(at).replace('/up/', '/down/')}", qos=1)
    client.publish("${topicOf(at)}", ${JSON.stringify(at.payload)}, qos=1)

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=client_id)
client.username_pw_set(username, password)
client.on_connect = on_connect
client.on_message = lambda client, userdata, message: print(message.topic, message.payload.decode())
client.connect("${at.host}", 1883, keepalive=60)
client.loop_forever()
`

const c = (at: Connection): string => `/* gcc device.c -lpaho-mqtt3c -lcrypto -o device */
#include <MQTTClient.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *device_secret = "${secretOf(at)}";
static const char *client_id = "${clientIDOf(at)}";

static void make_password(const char *username, char *password, size_t size) {
    unsigned char key[64], mac[32];
    unsigned int mac_length = 0;
    int length = EVP_DecodeBlock(key, (const unsigned char *)device_secret, (int)strlen(device_secret));
    for (const char *end = device_secret + strlen(device_secret); end[-1] == '='; end--) length--;
    HMAC(EVP_sha256(), key, length, (const unsigned char *)username, strlen(username), mac, &mac_length);
    for (unsigned int i = 0; i < mac_length; i++) snprintf(password + i * 2, size - i * 2, "%02x", mac[i]);
    strncat(password, ";hmacsha256", size - strlen(password) - 1);
}

int main(void) {
    char username[160], password[96] = "";
    snprintf(username, sizeof username, "%s;${sdkAppID};A1B2C;%ld", client_id, (long)time(NULL) + 86400);
    make_password(username, password, sizeof password);

    MQTTClient client;
    MQTTClient_connectOptions options = MQTTClient_connectOptions_initializer;
    options.username = username;
    options.password = password;
    MQTTClient_create(&client, "tcp://${at.host}:${at.port}", client_id, MQTTCLIENT_PERSISTENCE_NONE, NULL);
    int code = MQTTClient_connect(client, &options);
    if (code != MQTTCLIENT_SUCCESS) return printf("connect failed: %d\\n", code), 1;

    const char *payload = ${JSON.stringify(at.payload)};
    MQTTClient_deliveryToken token;
    MQTTClient_publish(client, "${topicOf(at)}", (int)strlen(payload), payload, 1, 0, &token);
    MQTTClient_waitForCompletion(client, token, 5000);
    MQTTClient_disconnect(client, 1000);
    MQTTClient_destroy(&client);
    return 0;
}
`

export interface Sample {
  key: string
  label: string
  code: string
}

export const connectionSamples = (at: Connection): Sample[] => [
  { key: 'mosquitto', label: 'mosquitto_pub', code: mosquitto(at) },
  { key: 'node', label: 'Node.js', code: node(at) },
  { key: 'python', label: 'Python', code: python(at) },
  { key: 'c', label: 'C', code: c(at) },
]
