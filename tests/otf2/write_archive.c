/* Writes an OTF2 archive by OTF2's own library: three ranks that send, receive and meet. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

enum { ranks = 3, resolution = 1000000 };

static uint64_t now[ranks];

static OTF2_FlushType before_flush(void* data, OTF2_FileType type, OTF2_LocationRef location,
                                   void* caller, bool final) {
  (void)data, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void* data, OTF2_FileType type, OTF2_LocationRef location) {
  (void)data, (void)type;
  return now[location < ranks ? location : 0];
}

static OTF2_FlushCallbacks flushing = {before_flush, after_flush};

static void check(OTF2_ErrorCode error) {
  if (error == OTF2_SUCCESS) return;
  fprintf(stderr, "%s\n", OTF2_Error_GetDescription(error));
  exit(1);
}

/* The next moment of a rank; clocks of ranks go apart, and rank 2 is behind. */
static uint64_t tick(int rank) { return now[rank] += 10 + (uint64_t)rank; }

static void enter(OTF2_EvtWriter** writers, int rank, OTF2_RegionRef region) {
  check(OTF2_EvtWriter_Enter(writers[rank], NULL, tick(rank), region));
}

static void leave(OTF2_EvtWriter** writers, int rank, OTF2_RegionRef region) {
  check(OTF2_EvtWriter_Leave(writers[rank], NULL, tick(rank), region));
}

static void collective(OTF2_EvtWriter** writers, OTF2_CollectiveOp operation, uint32_t root) {
  for (int rank = 0; rank < ranks; ++rank) {
    check(OTF2_EvtWriter_MpiCollectiveBegin(writers[rank], NULL, tick(rank)));
    check(
        OTF2_EvtWriter_MpiCollectiveEnd(writers[rank], NULL, tick(rank), operation, 0, root, 8, 8));
  }
}

/* Receives that were posted in one order may end in the other. */
static void cross(OTF2_EvtWriter** writers) {
  check(OTF2_EvtWriter_MpiIrecvRequest(writers[0], NULL, tick(0), 100));
  check(OTF2_EvtWriter_MpiIrecvRequest(writers[0], NULL, tick(0), 101));
  check(OTF2_EvtWriter_MpiIsend(writers[1], NULL, tick(1), 0, 0, 5, 16, 200));
  check(OTF2_EvtWriter_MpiIsend(writers[1], NULL, tick(1), 0, 0, 5, 32, 201));
  check(OTF2_EvtWriter_MpiIsendComplete(writers[1], NULL, tick(1), 200));
  check(OTF2_EvtWriter_MpiIsendComplete(writers[1], NULL, tick(1), 201));
  check(OTF2_EvtWriter_MpiIrecv(writers[0], NULL, tick(0), 1, 0, 5, 32, 101));
  check(OTF2_EvtWriter_MpiIrecv(writers[0], NULL, tick(0), 1, 0, 5, 16, 100));
}

static void write_events(OTF2_EvtWriter** writers, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (int rank = 0; rank < ranks; ++rank) enter(writers, rank, 0);
    for (int rank = 0; rank < ranks; ++rank) {
      const uint32_t next = (uint32_t)((rank + 1) % ranks);
      check(OTF2_EvtWriter_MpiSend(writers[rank], NULL, tick(rank), next, 0, 7, 64));
    }
    for (int rank = 0; rank < ranks; ++rank) {
      const uint32_t before = (uint32_t)((rank + ranks - 1) % ranks);
      check(OTF2_EvtWriter_MpiRecv(writers[rank], NULL, tick(rank), before, 0, 7, 64));
    }
    cross(writers);
    collective(writers, OTF2_COLLECTIVE_OP_BARRIER, OTF2_COLLECTIVE_ROOT_NONE);
    collective(writers, OTF2_COLLECTIVE_OP_BCAST, 1);
    collective(writers, OTF2_COLLECTIVE_OP_REDUCE, 0);
    for (int rank = 0; rank < ranks; ++rank) leave(writers, rank, 0);
    enter(writers, 2, 1);
    leave(writers, 2, 1);
  }
}

static void write_definitions(OTF2_Archive* archive, const uint64_t* counts) {
  OTF2_GlobalDefWriter* const to = OTF2_Archive_GetGlobalDefWriter(archive);
  const char* const strings[] = {"",           "node",       "MPI Rank 0",
                                 "MPI Rank 1", "MPI Rank 2", "Master thread",
                                 "solve",      "io_write",   "MPI_COMM_WORLD"};
  check(OTF2_GlobalDefWriter_WriteClockProperties(to, resolution, 0, 1000000, UINT64_MAX));
  for (uint32_t i = 0; i < sizeof strings / sizeof *strings; ++i) {
    check(OTF2_GlobalDefWriter_WriteString(to, i, strings[i]));
  }
  check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  uint64_t members[ranks];
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    check(OTF2_GlobalDefWriter_WriteLocationGroup(
        to, rank, 2 + rank, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
    check(OTF2_GlobalDefWriter_WriteLocation(to, rank, 5, OTF2_LOCATION_TYPE_CPU_THREAD,
                                             counts[rank], rank));
    members[rank] = rank;
  }
  for (uint32_t region = 0; region < 2; ++region) {
    check(OTF2_GlobalDefWriter_WriteRegion(to, region, 6 + region, 6 + region, 0,
                                           OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                           OTF2_REGION_FLAG_NONE, 0, 0, 0));
  }
  check(OTF2_GlobalDefWriter_WriteGroup(to, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, ranks, members));
  check(OTF2_GlobalDefWriter_WriteGroup(to, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, ranks, members));
  check(OTF2_GlobalDefWriter_WriteComm(to, 0, 8, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

int main(int count, char** words) {
  if (count != 3) return fprintf(stderr, "usage: write_archive FOLDER ROUNDS\n"), 2;
  OTF2_Archive* const archive =
      OTF2_Archive_Open(words[1], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == NULL) return 1;
  check(OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL));
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
  check(OTF2_Archive_OpenEvtFiles(archive));
  OTF2_EvtWriter* writers[ranks];
  for (int rank = 0; rank < ranks; ++rank) {
    now[rank] = rank == 2 ? 5 : 100;
    writers[rank] = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)rank);
  }
  write_events(writers, atoi(words[2]));
  uint64_t counts[ranks];
  for (int rank = 0; rank < ranks; ++rank) {
    check(OTF2_EvtWriter_GetNumberOfEvents(writers[rank], &counts[rank]));
    check(OTF2_Archive_CloseEvtWriter(archive, writers[rank]));
  }
  check(OTF2_Archive_CloseEvtFiles(archive));
  write_definitions(archive, counts);
  check(OTF2_Archive_Close(archive));
  return 0;
}
