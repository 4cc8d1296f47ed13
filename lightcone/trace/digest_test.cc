// Digests are the same on every processor.
#include <gtest/gtest.h>
#include <lightcone/trace/digest.h>
#include <xxhash.h>

#include <string>
#include <vector>

namespace lightcone {
namespace {

TEST(Digest, IsXxh3WhateverTheProcessorHas) {
  std::string contents;
  for (std::size_t size = 0; size < 70'000; size = size * 5 / 4 + 1) {
    contents.resize(size);
    for (std::size_t i = 0; i < size; ++i) contents[i] = static_cast<char>(i * i + size);
    EXPECT_EQ(digest_of(contents), XXH3_64bits(contents.data(), size)) << size;
    if (size > 0) {
      EXPECT_NE(digest_of(contents), digest_of(contents.substr(1)));
    }
  }
}

TEST(Digest, OfSeveralIsKnownIfAllAre) {
  EXPECT_EQ(digest_of_all({}), 0U);
  const std::vector<std::uint64_t> one{7}, two{7, 8}, swapped{8, 7}, unknown{7, 0};
  EXPECT_EQ(digest_of_all(one), 7U);
  EXPECT_EQ(digest_of_all(unknown), 0U);
  EXPECT_NE(digest_of_all(two), digest_of_all(swapped));
}

}  // namespace
}  // namespace lightcone
