# The donation server. See docs/server/docker.md.
FROM node:24.21.0-bookworm-slim AS build
# Any value adds what PDF receipts need.
ARG RECEIPTS_PDF
WORKDIR /build
COPY . .
RUN npm ci && npm run --silent build && npm pack --silent ./dist/donation-form-server
RUN npm install --prefix /app --no-audit --no-fund ./donation-form-server-*.tgz ${RECEIPTS_PDF:+@myriaddreamin/typst-ts-node-compiler@0.7.0}

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="donation-form" org.opencontainers.image.description="Server for the donation form" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production PATH=/app/node_modules/.bin:$PATH
ARG RECEIPTS_PDF
RUN if [ -n "$RECEIPTS_PDF" ]; then apt-get update && apt-get install --yes --no-install-recommends fonts-noto-core fonts-noto-cjk && rm -rf /var/lib/apt/lists/*; fi
COPY --from=build /app /app
WORKDIR /etc/donation-form
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4101
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:4101/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["donation-form"]
CMD ["serve"]
