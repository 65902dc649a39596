# Twelve images: docker build --target tenders -t procurement/tenders .
# The build stage makes one bundle for each service, for the auction room, the portal, the maker of NATS's certificates and the verification; an
# image contains Node, the bundle, its migrations, and the licences of the packages in it (/app/THIRD-PARTY-LICENCES.txt).

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
ENV CI=true TURBO_TELEMETRY_DISABLED=1
# Manifests first: the layer of the dependencies is rebuilt only when a manifest changes.
COPY package.json package-lock.json .npmrc ./
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/domain/package.json packages/domain/
COPY packages/kit/package.json packages/kit/
COPY packages/local-stack/package.json packages/local-stack/
COPY packages/nats-certificates/package.json packages/nats-certificates/
COPY packages/ocds/package.json packages/ocds/
COPY packages/page-style/package.json packages/page-style/
COPY packages/proof/package.json packages/proof/
COPY packages/testing/package.json packages/testing/
COPY packages/verify/package.json packages/verify/
COPY services/auction/package.json services/auction/
COPY services/awards/package.json services/awards/
COPY services/bids/package.json services/bids/
COPY services/documents/package.json services/documents/
COPY services/gateway/package.json services/gateway/
COPY services/ledger/package.json services/ledger/
COPY services/register/package.json services/register/
COPY services/tenders/package.json services/tenders/
COPY apps/auction-room/package.json apps/auction-room/
COPY apps/docs/package.json apps/docs/
COPY apps/portal/package.json apps/portal/
COPY test/package.json test/
COPY tools/package.json tools/
RUN npm ci --strict-allow-scripts
COPY . .
RUN npm run generate && npm run bundle

FROM node:24.21.0-bookworm-slim AS runtime
WORKDIR /app
# Services need node only. Package managers are the part of the base image with the most reports of vulnerabilities.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn \
  /usr/local/bin/yarnpkg /opt/yarn-*
# A volume mounted here keeps this owner. Only documents with STORAGE=folder writes to it.
RUN mkdir /data && chown node:node /data
# The base image has the user node (1000). It cannot write below /app: services keep no state in the image.
USER node
ENV NODE_ENV=production HOST=0.0.0.0 OPERATIONS_HOST=0.0.0.0
STOPSIGNAL SIGTERM
# Liveness only: a restart does not help a service whose database is down.
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPERATIONS_PORT || process.env.PORT) + '/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# exec form: node is process 1 and receives the stop signal.
CMD ["node", "--enable-source-maps", "dist/main.js"]

FROM runtime AS gateway
ENV PORT=8080
EXPOSE 8080
EXPOSE 8093
COPY --from=build /src/dist/images/gateway ./

FROM runtime AS tenders
ENV PORT=8081
EXPOSE 8081
COPY --from=build /src/dist/images/tenders ./

FROM runtime AS bids
ENV PORT=8082
EXPOSE 8082
COPY --from=build /src/dist/images/bids ./

FROM runtime AS awards
ENV PORT=8083
EXPOSE 8083
COPY --from=build /src/dist/images/awards ./

FROM runtime AS documents
ENV PORT=8084
EXPOSE 8084
COPY --from=build /src/dist/images/documents ./

FROM runtime AS auction
ENV PORT=8085
EXPOSE 8085
COPY --from=build /src/dist/images/auction ./

FROM runtime AS register
ENV PORT=8086
EXPOSE 8086
COPY --from=build /src/dist/images/register ./

FROM runtime AS ledger
ENV PORT=8087
EXPOSE 8087
# Node sizes its heap by the memory of the machine: with 24 GB 230 MB were resident (docs/spec/proof.md 7).
ENV NODE_OPTIONS="--max-old-space-size=160 --max-semi-space-size=4"
COPY --from=build /src/dist/images/ledger ./

FROM runtime AS auction-room
# OPERATIONS_PORT is for the health check.
ENV PORT=8089 OPERATOR_PORT=8090 OPERATOR_HOST=0.0.0.0 OPERATIONS_PORT=8090
EXPOSE 8089
EXPOSE 8090
COPY --from=build /src/dist/images/auction-room ./

FROM runtime AS portal
ENV PORT=8088 OPERATIONS_PORT=8094
# Node sizes its heap by the memory of the machine; alive are 19 MB. Each thread of V8 keeps pages of its own (docs/spec/portal.md 11).
ENV NODE_OPTIONS="--max-old-space-size=160 --max-semi-space-size=4 --v8-pool-size=1"
EXPOSE 8088
EXPOSE 8094
COPY --from=build /src/dist/images/portal ./

# Not a server: it ends when the files are there.
FROM runtime AS nats-certificates
HEALTHCHECK NONE
ENTRYPOINT ["node", "dist/main.js"]
CMD []
COPY --from=build /src/dist/images/nats-certificates ./

# Not a server: it compares the databases and ends.
FROM runtime AS verify
HEALTHCHECK NONE
ENTRYPOINT ["node", "dist/main.js"]
CMD []
COPY --from=build /src/dist/images/verify ./
