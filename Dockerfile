# The image holds the program, the libraries it needs and the certificates of the public authorities: no shell, no package
# manager. Build it with: docker build --build-arg REVISION=$(git rev-parse --short=12 HEAD) -t sconverge .

FROM debian:bookworm AS build
WORKDIR /src
COPY . .
RUN tests/packages build
ARG REVISION=unknown
RUN cmake --preset release -DSCONVERGE_TESTS=OFF -DSCONVERGE_REVISION=$REVISION
RUN cmake --build build/release --target sconverge
RUN DESTDIR=/out cmake --install build/release --prefix /usr --strip

FROM debian:bookworm-slim AS root
RUN apt-get update && apt-get install -y --no-install-recommends \
    ca-certificates \
    libcpprest2.10 \
    libprometheus-cpp-core1.0 \
    libspdlog1.10 \
    libsqlite3-0 \
    libssl3 \
    libyaml-cpp0.7 \
    tzdata \
    zlib1g
COPY --from=build /out/usr/bin/sconverge /usr/bin/sconverge
COPY cmake/package/image-root /tmp/image-root
RUN /tmp/image-root /usr/bin/sconverge /image

FROM scratch
ARG REVISION=unknown
LABEL org.opencontainers.image.title="sconverge" \
      org.opencontainers.image.description="Keeps Slurm jobs as declared" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=root /image /
USER 65532:65532
ENV SCONVERGE_STATE=/var/lib/sconverge
EXPOSE 9810
ENTRYPOINT ["/usr/bin/sconverge"]
CMD ["run", "--config", "/etc/sconverge/sconverge.yaml"]
